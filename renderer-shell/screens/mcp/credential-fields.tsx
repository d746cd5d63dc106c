import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import type { Credential } from './server-draft.ts';

interface CredentialFieldsProps {
  label: string;
  text: string;
  credentials: Credential[];
  onChange: (credentials: Credential[]) => void;
}

/** Edits names and values; a stored value is never shown, but can be replaced or removed. */
export function CredentialFields({ label, text, credentials, onChange }: CredentialFieldsProps) {
  const { t } = useTranslation();
  const add = () => {
    const key = Math.max(-1, ...credentials.map((one) => one.key)) + 1;
    onChange([...credentials, { key, name: '', value: '', stored: false }]);
  };
  return (
    <fieldset className="mcp-credentials">
      <legend>{label}</legend>
      <p className="plain setting-text">{text}</p>
      {credentials.map((credential) => (
        <CredentialRow
          key={credential.key}
          credential={credential}
          onChange={(next) =>
            onChange(credentials.map((one) => (one.key === next.key ? next : one)))
          }
          onRemove={() => onChange(credentials.filter(({ key }) => key !== credential.key))}
        />
      ))}
      <Button size="xs" variant="default" onClick={add}>
        {t('mcpForm.addValue')}
      </Button>
    </fieldset>
  );
}

interface CredentialRowProps {
  credential: Credential;
  onChange: (credential: Credential) => void;
  onRemove: () => void;
}

function CredentialRow({ credential, onChange, onRemove }: CredentialRowProps) {
  const { t } = useTranslation();
  const { name, value, stored } = credential;
  const replace = () => onChange({ ...credential, stored: false });
  return (
    <div className="mcp-credential" role="group" aria-label={name || t('mcpForm.newValue')}>
      <TextInput
        size="xs"
        className="code-field"
        aria-label={t('mcpForm.valueName')}
        placeholder={t('mcpForm.valueName')}
        readOnly={stored}
        spellCheck={false}
        value={name}
        onChange={(event) => onChange({ ...credential, name: event.currentTarget.value })}
      />
      {stored ? (
        <span className="mcp-kept">
          {t('mcpForm.kept')}
          <Button size="compact-xs" variant="default" onClick={replace}>
            {t('mcpForm.replace')}
          </Button>
        </span>
      ) : (
        <SecretInput
          size="xs"
          aria-label={t('mcpForm.value')}
          placeholder={t('mcpForm.value')}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange({ ...credential, value: event.currentTarget.value })}
        />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('mcpForm.removeValue', { name })}
        onClick={onRemove}
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
}
