import { Button, Group, TextInput } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';

/** Shows the recovery text of the key that encrypts the secrets of a shared database, or asks for it. */
export function ClusterKeySettings() {
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(() => client.call(api.hosts.key), [client]);
  const { state, refresh } = useLoaded(load);
  if (state.kind === 'failed') return <ErrorAlert error={state.error} onRetry={refresh} />;
  if (state.kind !== 'ready' || state.value.state === 'none') return null;
  const isMissing = state.value.state === 'missing';
  return (
    <section aria-label={t('hosts.key.title')}>
      <h3>{t('hosts.key.title')}</h3>
      <p className="plain setting-text">{t('hosts.key.text')}</p>
      <p className="plain setting-text" role="status">
        {t(isMissing ? 'hosts.key.missing' : 'hosts.key.available')}
      </p>
      {isMissing ? <KeyForm onEntered={refresh} /> : <RecoveryText />}
    </section>
  );
}

/** Fetches the recovery text on request, and discards it when it is hidden. */
function RecoveryText() {
  const { t } = useTranslation();
  const { client } = useShell();
  const action = useAction();
  const [text, setText] = useState<string | null>(null);
  const show = () =>
    action.run(async () => {
      setText((await client.call(api.hosts.recoveryText)).recoveryText);
    });
  if (text === null)
    return (
      <>
        <Button size="xs" variant="default" loading={action.busy} onClick={() => void show()}>
          {t('hosts.key.show')}
        </Button>
        {action.error !== null && <ErrorAlert error={action.error} />}
      </>
    );
  return (
    <>
      <TextInput
        readOnly
        label={t('hosts.key.recovery')}
        description={t('hosts.key.recoveryText')}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button size="xs" variant="default" mt="xs" onClick={() => setText(null)}>
        {t('hosts.key.hide')}
      </Button>
    </>
  );
}

function KeyForm({ onEntered }: { onEntered: () => void }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const action = useAction();
  const [text, setText] = useState('');
  const enter = () =>
    action.run(async () => {
      await client.call(api.hosts.enterKey, { body: { recoveryText: text } });
      onEntered();
    });
  return (
    <form
      className="stacked-form"
      onSubmit={(event) => {
        event.preventDefault();
        void enter();
      }}
    >
      <TextInput
        label={t('hosts.key.recovery')}
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {action.error !== null && <ErrorAlert error={action.error} />}
      <Group gap="xs">
        <Button
          size="xs"
          type="submit"
          variant="default"
          loading={action.busy}
          disabled={text.trim() === ''}
        >
          {t('hosts.key.save')}
        </Button>
      </Group>
    </form>
  );
}
