import { Autocomplete, Button, Group, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  AiBackend,
  AiConfig,
  AiConfigTrialResult,
  AiMode,
} from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../frame/error-note.tsx';
import { Note } from '../../frame/note.tsx';
import { useAction } from '../../frame/use-action.ts';
import { SecretInput } from '../../frame/secret-input.tsx';
import { useShell } from '../../state/shell.ts';
import { hostText } from '../../words/problem-texts.ts';

/** A model that has to be loaded first may need long for its first word. */
const testLimitMs = 120_000;

interface BackendFormProps {
  mode: AiMode;
  config: AiConfig;
}

/** Address, key and model of one backend. A trial stores nothing. */
export function BackendForm({ mode, config }: BackendFormProps) {
  const { t } = useTranslation();
  const { client, models } = useShell();
  const [fields, setFields] = useState(config[mode]);
  const [windowTokens, setWindowTokens] = useState(config.contextWindowTokens);
  const [trial, setTrial] = useState<AiConfigTrialResult | null>(null);
  const [saved, setSaved] = useState(false);
  const action = useAction();
  const change = (patch: Partial<AiBackend>) => {
    setFields((before) => ({ ...before, ...patch }));
    setTrial(null);
    setSaved(false);
  };
  const save = async () => {
    const patch = { [mode]: fields, contextWindowTokens: windowTokens };
    setSaved(await action.run(() => models.change(patch)));
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
      <BackendFields fields={fields} known={trial?.models ?? []} onChange={change} />
      <NumberInput
        label={t('model.window')}
        description={t('model.windowText')}
        min={0}
        allowDecimal={false}
        value={windowTokens}
        onChange={(value) => {
          setWindowTokens(Number(value) || 0);
          setSaved(false);
        }}
      />
      {action.error !== null && <ErrorNote error={action.error} />}
      {trial && <TrialNote trial={trial} />}
      <p className="plain quiet" role="status" hidden={!saved}>
        {t('model.saved')}
      </p>
      <Group gap="xs">
        <Button size="xs" type="submit" loading={action.busy}>
          {t('model.save')}
        </Button>
        <Button size="xs" variant="default" disabled={action.busy} onClick={() => void test()}>
          {t('model.test')}
        </Button>
        {saved && config.ready && <BeginChat />}
      </Group>
    </form>
  );
}

/** What a model is there for. */
function BeginChat() {
  const { t } = useTranslation();
  const { route } = useShell();
  return (
    <Button size="xs" variant="light" onClick={() => route.go({ area: 'chat', id: null })}>
      {t('command.chat')}
    </Button>
  );
}

interface BackendFieldsProps {
  fields: AiBackend;
  /** Names of models that the server told. */
  known: readonly string[];
  onChange: (patch: Partial<AiBackend>) => void;
}

function BackendFields({ fields, known, onChange }: BackendFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('model.baseUrl')}
        description={t('model.baseUrlText')}
        value={fields.baseUrl}
        onChange={(event) => onChange({ baseUrl: event.currentTarget.value })}
      />
      <SecretInput
        label={t('model.apiKey')}
        description={t('model.apiKeyText')}
        autoComplete="off"
        value={fields.apiKey}
        onChange={(event) => onChange({ apiKey: event.currentTarget.value })}
      />
      <Autocomplete
        label={t('model.name')}
        description={t('model.nameText')}
        data={[...new Set(known)]}
        limit={50}
        value={fields.model}
        onChange={(model) => onChange({ model })}
      />
    </>
  );
}

function TrialNote({ trial: { success, message, elapsedMs } }: { trial: AiConfigTrialResult }) {
  const { t } = useTranslation();
  const ms = Math.round(elapsedMs);
  return (
    <Note
      tone={success ? 'good' : 'bad'}
      role="status"
      title={t(success ? 'model.works' : 'model.fails', { ms })}
    >
      {message !== undefined && <p className="plain untrusted">{hostText(message)}</p>}
    </Note>
  );
}
