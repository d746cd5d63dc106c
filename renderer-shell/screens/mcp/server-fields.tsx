import { NumberInput, SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { McpTransport } from '../../../service/contract/index.ts';
import { CredentialFields } from './credential-fields.tsx';
import type { ServerDraft } from './server-draft.ts';

interface FieldsProps {
  draft: ServerDraft;
  /** Error messages by field name. */
  wrong: Partial<Record<string, string>>;
  onChange: (patch: Partial<ServerDraft>) => void;
}

export function ServerNames({ draft, wrong, onChange }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('mcpForm.name')}
        description={t('mcpForm.nameText')}
        required
        withAsterisk={false}
        spellCheck={false}
        maxLength={32}
        error={wrong['name']}
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        data-autofocus
      />
      <div>
        <p className="plain mcp-label" id="mcp-transport">
          {t('mcpFact.transport')}
        </p>
        <SegmentedControl
          size="xs"
          aria-labelledby="mcp-transport"
          value={draft.transport}
          data={McpTransport.options.map((value) => ({ value, label: t(`mcpTransport.${value}`) }))}
          onChange={(transport) => onChange({ transport })}
        />
        <p className="plain setting-text">{t(`mcpTransportText.${draft.transport}`)}</p>
      </div>
    </>
  );
}

export function StdioFields({ draft, wrong, onChange }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('mcpFact.command')}
        description={t('mcpForm.commandText')}
        className="code-field"
        required
        withAsterisk={false}
        spellCheck={false}
        error={wrong['command']}
        value={draft.command}
        onChange={(event) => onChange({ command: event.currentTarget.value })}
      />
      <Textarea
        label={t('mcpFact.args')}
        description={t('mcpForm.argsText')}
        className="code-field"
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        error={wrong['args']}
        value={draft.args}
        onChange={(event) => onChange({ args: event.currentTarget.value })}
      />
      <CredentialFields
        label={t('mcpFact.env')}
        text={t('mcpForm.envText')}
        credentials={draft.env}
        onChange={(env) => onChange({ env })}
      />
      <TextInput
        label={t('mcpFact.cwd')}
        description={t('mcpForm.cwdText')}
        className="code-field"
        spellCheck={false}
        error={wrong['cwd']}
        value={draft.cwd}
        onChange={(event) => onChange({ cwd: event.currentTarget.value })}
      />
    </>
  );
}

export function RemoteFields({ draft, wrong, onChange }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('mcpFact.url')}
        description={t('mcpForm.urlText')}
        className="code-field"
        required
        withAsterisk={false}
        spellCheck={false}
        error={wrong['url']}
        value={draft.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      <TextInput
        label={t('mcpFact.endpoint')}
        description={t('mcpForm.endpointText')}
        className="code-field"
        spellCheck={false}
        error={wrong['endpoint']}
        value={draft.endpoint}
        onChange={(event) => onChange({ endpoint: event.currentTarget.value })}
      />
      <CredentialFields
        label={t('mcpFact.headers')}
        text={t('mcpForm.headersText')}
        credentials={draft.headers}
        onChange={(headers) => onChange({ headers })}
      />
    </>
  );
}

export function MoreFields({
  draft,
  wrong,
  onChange,
  hasSecret,
}: FieldsProps & { hasSecret: boolean }) {
  const { t } = useTranslation();
  return (
    <details className="mcp-more">
      <summary>{t('mcpForm.more')}</summary>
      <div className="mcp-form">
        {draft.transport !== 'STDIO' && (
          <SignInFields draft={draft} wrong={wrong} onChange={onChange} hasSecret={hasSecret} />
        )}
        <NumberInput
          label={t('mcpFact.timeout')}
          description={t('mcpForm.timeoutText')}
          min={1}
          max={3_600}
          error={wrong['callTimeoutSeconds']}
          value={draft.callTimeoutSeconds}
          onChange={(value) => onChange({ callTimeoutSeconds: Number(value) || 60 })}
        />
        <Switch
          label={t('mcpForm.annotations')}
          description={t('mcpForm.annotationsText')}
          checked={draft.trustAnnotations}
          onChange={(event) => onChange({ trustAnnotations: event.currentTarget.checked })}
        />
        <Switch
          label={t('mcpForm.enabled')}
          description={t('mcpForm.enabledText')}
          checked={draft.enabled}
          onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
        />
      </div>
    </details>
  );
}

function SignInFields({ draft, wrong, onChange, hasSecret }: FieldsProps & { hasSecret: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('mcpFact.clientId')}
        description={t('mcpForm.clientIdText')}
        className="code-field"
        spellCheck={false}
        error={wrong['oauth.clientId']}
        value={draft.clientId}
        onChange={(event) => onChange({ clientId: event.currentTarget.value })}
      />
      <SecretInput
        label={t('mcpForm.clientSecret')}
        description={t(hasSecret ? 'mcpForm.secretKept' : 'mcpForm.secretText')}
        autoComplete="off"
        error={wrong['oauth.clientSecret']}
        value={draft.clientSecret}
        onChange={(event) => onChange({ clientSecret: event.currentTarget.value })}
      />
      <TextInput
        label={t('mcpForm.scopes')}
        description={t('mcpForm.scopesText')}
        className="code-field"
        spellCheck={false}
        error={wrong['oauth.scopes']}
        value={draft.scopes}
        onChange={(event) => onChange({ scopes: event.currentTarget.value })}
      />
      <NumberInput
        label={t('mcpForm.callbackPort')}
        description={t('mcpForm.callbackPortText')}
        min={1}
        max={65_535}
        allowDecimal={false}
        error={wrong['oauth.callbackPort']}
        value={draft.callbackPort}
        onChange={(value) => onChange({ callbackPort: typeof value === 'number' ? value : '' })}
      />
    </>
  );
}
