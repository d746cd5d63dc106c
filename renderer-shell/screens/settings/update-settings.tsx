import { Button, CopyButton, Group, Progress, Skeleton, Stack } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Updates } from '../../../service/contract/index.ts';
import { api, builds } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { usePolling } from '../../ui/frame/use-polling.ts';
import { TextSetting } from './text-setting.tsx';
import { useShell } from '../../state/shell.ts';
import { sizeText } from '../../core/messages/amounts.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import { Setting } from '../../ui/forms/setting.tsx';
import { FailureText } from '../../ui/frame/failure-text.tsx';

const pollMs = 700;
const moving: readonly Updates['state'][] = ['checking', 'downloading', 'installing'];

type Step = 'check' | 'install' | 'cancel' | 'restart';

/** Shows the installed version, and offers updates. */
export function UpdateSettings() {
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(() => client.call(api.updates.get), [client]);
  const { state, refresh } = useLoaded(load);
  const isMoving = state.kind === 'ready' && moving.includes(state.value.state);
  const poll = useCallback(() => {
    if (isMoving) refresh();
  }, [isMoving, refresh]);
  usePolling(poll, pollMs);
  return (
    <section aria-label={t('sections.updates')}>
      <h2>{t('sections.updates')}</h2>
      {state.kind === 'loading' && <Skeleton className="late" height={120} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && <Steps updates={state.value} refresh={refresh} />}
      <TextSetting
        name="updateApiBase"
        label={t('update.server')}
        description={t('update.serverText')}
        onSaved={refresh}
      />
    </section>
  );
}

interface StepsProps {
  updates: Updates;
  refresh: () => void;
}

function Steps({ updates, refresh }: StepsProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const action = useAction();
  const take = (step: Step) => {
    const done = action.run(() => client.call(api.updates[step]));
    // The state reports the progress.
    refresh();
    void done.then(refresh);
  };
  const { version, build, state, unsupported } = updates;
  const isMoving = moving.includes(state);
  return (
    <>
      <Setting label={t('update.version', { version })} text={t(`update.build.${build}`)}>
        {(labelId) => (
          <Button
            size="xs"
            variant="default"
            aria-describedby={labelId}
            loading={state === 'checking'}
            disabled={unsupported !== undefined || isMoving}
            onClick={() => take('check')}
          >
            {t('update.check')}
          </Button>
        )}
      </Setting>
      <Stack gap="xs">
        {unsupported && (
          <Alert tone="warn" title={t('update.unsupported')}>
            <p className="plain untrusted">{hostMessage(unsupported.text, unsupported.message)}</p>
          </Alert>
        )}
        {state === 'current' && <Alert tone="good" role="status" title={t('update.current')} />}
        <Offer updates={updates} take={take} />
        <UpdateProblem updates={updates} error={action.error} take={take} />
      </Stack>
    </>
  );
}

interface PartProps {
  updates: Updates;
  take: (step: Step) => void;
}

/** Shows the available update and its progress. */
function Offer({ updates, take }: PartProps) {
  const { t, language } = useTranslation();
  const { build, state, available, percent = 0, command } = updates;
  if (!available) return null;
  const { version, sizeBytes } = available;
  if (state === 'downloading')
    return (
      <Alert tone="accent" title={t('update.downloading', { version, percent })}>
        <Progress value={percent} aria-label={t('update.progress')} my="xs" />
        <Button size="xs" variant="default" onClick={() => take('cancel')}>
          {t('action.cancel')}
        </Button>
      </Alert>
    );
  if (state === 'installing')
    return (
      <Alert tone="accent" role="status" title={t('update.installing', { version })}>
        <p className="plain">{t('update.installingText')}</p>
      </Alert>
    );
  if (state === 'ready')
    return (
      <Alert tone="good" role="status" title={t('update.ready', { version })}>
        <p className="plain">
          {t(builds[build].comesBack ? 'update.readyBack' : 'update.readyText')}
        </p>
        <Button size="xs" mt="xs" onClick={() => take('restart')}>
          {t('update.restart')}
        </Button>
        {command !== undefined && <ManualUpdate command={command} />}
      </Alert>
    );
  const size = sizeBytes === undefined ? '' : sizeText(sizeBytes, language);
  return (
    <Alert tone="accent" role="status" title={t('update.available', { version })}>
      <p className="plain">{t('update.availableText')}</p>
      <Group gap="xs" mt="xs">
        <Button size="xs" onClick={() => take('install')}>
          {t('update.install')}
        </Button>
        <span className="quiet">{size}</span>
      </Group>
    </Alert>
  );
}

function ManualUpdate({ command }: { command: string }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="plain setting-text settings-by-hand">{t('update.byHand')}</p>
      <div className="settings-fix">
        <code className="running-command untrusted">{command}</code>
        <CopyButton value={command}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {copied ? t('action.copied') : t('action.copy')}
            </Button>
          )}
        </CopyButton>
      </div>
    </>
  );
}

/** Shows the error of an update, with a button that repeats the failed step. */
function UpdateProblem({ updates, error, take }: PartProps & { error: unknown }) {
  const { t } = useTranslation();
  const { state } = updates;
  if (moving.includes(state)) return null;
  if (!updates.error) return error === null ? null : <ErrorAlert error={error} />;
  const again = state === 'ready' ? 'restart' : state === 'available' ? 'install' : 'check';
  return (
    <Alert tone="bad" role="alert">
      <FailureText text={updates.error.message} message={updates.error.text} />
      {updates.unsupported === undefined && (
        <Button size="xs" variant="default" mt="xs" onClick={() => take(again)}>
          {t('action.retry')}
        </Button>
      )}
    </Alert>
  );
}
