import { Button, Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors } from '../../core/messages/field-errors.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { AiConfigTrialResult, NewProvider } from '../../../service/contract/index.ts';
import { api, ProviderProtocol } from '../../../service/contract/index.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { useShell } from '../../state/shell.ts';
import { FailureText } from '../../ui/frame/failure-text.tsx';

/** A model that must be loaded first may take long for its first token. */
const testLimitMs = 120_000;

interface ProviderFormProps {
  /** Null for a new provider. */
  id: string | null;
  initial: NewProvider;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

/** Edits name, protocol, address, key and models of a provider. A test stores nothing. */
export function ProviderForm({ id, initial, onSaved, onClose }: ProviderFormProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const [fields, setFields] = useState(initial);
  const [models, setModels] = useState((initial.models ?? []).join('\n'));
  const [trial, setTrial] = useState<AiConfigTrialResult | null>(null);
  const action = useAction();
  const errors = fieldErrors(action.error);
  const change = (patch: Partial<NewProvider>) => {
    setFields({ ...fields, ...patch });
    setTrial(null);
  };
  const names = [...new Set(models.split('\n').map((line) => line.trim()))].filter(Boolean);
  const save = async () => {
    const { models: _, ...rest } = fields;
    const body = { ...rest, ...(names.length === 0 ? {} : { models: names }) };
    const isSaved = await action.run(async () => {
      await (id === null
        ? client.call(api.providers.create, { body })
        : client.call(api.providers.replace, { params: { id }, body }));
      await onSaved();
    });
    if (isSaved) onClose();
  };
  const test = () =>
    action.run(async () => {
      const { protocol, baseUrl, apiKey } = fields;
      const own = id === null ? {} : { id };
      const body = { protocol, baseUrl, apiKey, model: names[0] ?? '', ...own };
      const signal = AbortSignal.timeout(testLimitMs);
      const result = await client.call(api.providers.test, { body, signal });
      setTrial(result);
      if (names.length === 0 && result.models) setModels(result.models.slice(0, 500).join('\n'));
    });
  return (
    <form
      className="stacked-form"
      aria-label={t('providers.form')}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput
        label={t('providers.name')}
        maxLength={100}
        error={errors.get('name')}
        value={fields.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('providers.protocolLabel')}
        value={fields.protocol}
        onChange={(event) =>
          change({ protocol: ProviderProtocol.parse(event.currentTarget.value) })
        }
        data={ProviderProtocol.options.map((value) => ({
          value,
          label: t(`providers.protocol.${value}`),
        }))}
      />
      <TextInput
        label={t('model.baseUrl')}
        error={errors.get('baseUrl')}
        value={fields.baseUrl}
        onChange={(event) => change({ baseUrl: event.currentTarget.value })}
      />
      <SecretInput
        label={t('model.apiKey')}
        description={t('model.apiKeyText')}
        autoComplete="off"
        value={fields.apiKey ?? ''}
        onChange={(event) => change({ apiKey: event.currentTarget.value })}
      />
      <Textarea
        label={t('providers.models')}
        description={t('providers.modelsText')}
        autosize
        minRows={2}
        maxRows={10}
        error={errors.get('models')}
        value={models}
        onChange={(event) => setModels(event.currentTarget.value)}
      />
      {action.error !== null && <ErrorAlert error={action.error} />}
      {trial && <TrialAlert trial={trial} />}
      <Group gap="xs">
        <Button size="xs" type="submit" loading={action.busy}>
          {t('model.save')}
        </Button>
        <Button size="xs" variant="default" disabled={action.busy} onClick={() => void test()}>
          {t('model.test')}
        </Button>
        <Button size="xs" variant="subtle" onClick={onClose}>
          {t('action.cancel')}
        </Button>
      </Group>
    </form>
  );
}

function TrialAlert({ trial }: { trial: AiConfigTrialResult }) {
  const { t } = useTranslation();
  const { success, message, text, elapsedMs } = trial;
  const title = t(success ? 'model.serverWorks' : 'model.fails', { ms: Math.round(elapsedMs) });
  return (
    <Alert tone={success ? 'good' : 'bad'} role="status" title={title}>
      {message !== undefined && <FailureText text={message} message={text} />}
    </Alert>
  );
}
