import { Autocomplete, Button, Group, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors } from '../../core/messages/field-errors.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type {
  AiBackend,
  AiConfig,
  AiConfigTrialResult,
  AiMode,
} from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { useDraft } from '../../ui/frame/use-draft.ts';
import { useShell } from '../../state/shell.ts';
import { DiscardButton } from './discard-button.tsx';
import { FailureText } from '../../ui/frame/failure-text.tsx';

/** A model that must be loaded first may take long for its first token. */
const testLimitMs = 120_000;

interface BackendFormProps {
  mode: AiMode;
  config: AiConfig;
}

type BackendDraft = AiBackend & { windowTokens: number };

const storedFields = (config: AiConfig, mode: AiMode): BackendDraft => ({
  ...config[mode],
  windowTokens: config.contextWindowTokens,
});

/** Edits address, key and model of one backend. A test stores nothing. */
export function BackendForm({ mode, config }: BackendFormProps) {
  const { t } = useTranslation();
  const { client, models } = useShell();
  const draft = useDraft(`model.${mode}`, () => storedFields(models.get() ?? config, mode));
  const { windowTokens, ...fields } = draft.value;
  const [trial, setTrial] = useState<AiConfigTrialResult | null>(null);
  const [saved, setSaved] = useState(false);
  const action = useAction();
  const errors = fieldErrors(action.error);
  const change = (patch: Partial<BackendDraft>) => {
    draft.change((before) => ({ ...before, ...patch }));
    setTrial(null);
    setSaved(false);
  };
  const save = async () => {
    const patch = { [mode]: fields, contextWindowTokens: windowTokens };
    const done = await action.run(() => models.change(patch));
    if (done) draft.drop();
    setSaved(done);
  };
  const test = () =>
    action.run(async () => {
      const body = { mode, ...fields };
      const signal = AbortSignal.timeout(testLimitMs);
      setTrial(await client.call(api.aiConfig.test, { body, signal }));
    });
  return (
    <form
      className="stacked-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <BackendFields
        mode={mode}
        fields={fields}
        errors={errors}
        modelNames={trial?.models ?? []}
        onChange={change}
      />
      <NumberInput
        label={t('model.window')}
        description={t('model.windowText')}
        min={0}
        allowDecimal={false}
        error={errors.get('contextWindowTokens')}
        value={windowTokens}
        onChange={(value) => change({ windowTokens: Number(value) || 0 })}
      />
      {action.error !== null && <ErrorAlert error={action.error} />}
      {trial && <TrialAlert trial={trial} hasModel={fields.model.trim() !== ''} />}
      {saved && <SavedAlert config={config} mode={mode} />}
      <Group gap="xs">
        <Button size="xs" type="submit" loading={action.busy}>
          {t('model.save')}
        </Button>
        <Button size="xs" variant="default" disabled={action.busy} onClick={() => void test()}>
          {t('model.test')}
        </Button>
        <DiscardButton draft={draft} />
        {saved && config.ready && <StartChat />}
      </Group>
    </form>
  );
}

/** Confirms that the settings are stored, and says whether they are complete. */
function SavedAlert({ config, mode }: BackendFormProps) {
  const { t } = useTranslation();
  if (config.ready)
    return (
      <p className="plain quiet" role="status">
        {t('model.saved')}
      </p>
    );
  const isUnnamed = config[mode].model === '';
  return (
    <Alert tone="warn" role="status" title={t('model.notReady')}>
      <p className="plain">{t(isUnnamed ? 'model.nameMissing' : 'model.partMissing')}</p>
    </Alert>
  );
}

/** Links to a new conversation. */
function StartChat() {
  const { t } = useTranslation();
  const { route } = useShell();
  return (
    <Button size="xs" variant="light" onClick={() => route.go({ area: 'chat', id: null })}>
      {t('command.chat')}
    </Button>
  );
}

interface BackendFieldsProps {
  mode: AiMode;
  fields: AiBackend;
  /** Errors by the names of the fields. */
  errors: ReadonlyMap<string, string>;
  /** Names of models that the server reported. */
  modelNames: readonly string[];
  onChange: (patch: Partial<AiBackend>) => void;
}

function BackendFields({ mode, fields, errors, modelNames, onChange }: BackendFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('model.baseUrl')}
        description={t(mode === 'cloud_c' ? 'model.baseUrlNeeded' : 'model.baseUrlText')}
        error={errors.get('baseUrl')}
        value={fields.baseUrl}
        onChange={(event) => onChange({ baseUrl: event.currentTarget.value })}
      />
      <SecretInput
        label={t('model.apiKey')}
        description={t('model.apiKeyText')}
        autoComplete="off"
        error={errors.get('apiKey')}
        value={fields.apiKey}
        onChange={(event) => onChange({ apiKey: event.currentTarget.value })}
      />
      <Autocomplete
        label={t('model.name')}
        description={t('model.nameText')}
        data={[...new Set(modelNames)]}
        limit={50}
        error={errors.get('model')}
        value={fields.model}
        onChange={(model) => onChange({ model })}
      />
    </>
  );
}

interface TrialAlertProps {
  trial: AiConfigTrialResult;
  /** Without a model, only the server was tested. */
  hasModel: boolean;
}

function TrialAlert({ trial, hasModel }: TrialAlertProps) {
  const { success, message, text, elapsedMs } = trial;
  const { t } = useTranslation();
  const ms = Math.round(elapsedMs);
  return (
    <Alert
      tone={success ? 'good' : 'bad'}
      role="status"
      title={t(success ? (hasModel ? 'model.works' : 'model.serverWorks') : 'model.fails', { ms })}
    >
      {success && !hasModel && <p className="plain">{t('model.nameMissing')}</p>}
      {message !== undefined && <FailureText text={message} message={text} />}
    </Alert>
  );
}
