import { Button, Group, Skeleton } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { exactTime } from '../../core/messages/amounts.ts';
import type { ClusterHost } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { Tag } from '../../ui/frame/alert.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { usePolling } from '../../ui/frame/use-polling.ts';
import { ClusterKeySettings } from './cluster-key-settings.tsx';

const refreshMs = 5_000;

/** Lists the hosts that share the database, with their state and tasks, and allows draining one. */
export function HostSettings() {
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(() => client.call(api.hosts.list), [client]);
  const { state, refresh } = useLoaded(load);
  usePolling(refresh, refreshMs);
  return (
    <section aria-label={t('sections.hosts')}>
      <h2>{t('sections.hosts')}</h2>
      {state.kind === 'loading' && <Skeleton className="late" height={160} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && (
        <>
          {state.value.length === 1 && <p className="plain setting-text">{t('hosts.single')}</p>}
          <ul className="running-parts" aria-label={t('sections.hosts')}>
            {state.value.map((host) => (
              <HostItem key={host.id} host={host} onChange={refresh} />
            ))}
          </ul>
          <ClusterKeySettings />
        </>
      )}
    </section>
  );
}

const tones = { up: 'good', draining: 'warn', lost: 'bad' } as const;

function HostItem({ host, onChange }: { host: ClusterHost; onChange: () => void }) {
  const { t, language } = useTranslation();
  const { name, version, state, self, running, lastSeenAt } = host;
  return (
    <li>
      <Group gap="xs">
        <span className="untrusted">{name}</span>
        {self && <span className="running-more">({t('hosts.self')})</span>}
        <Tag tone={tones[state]}>{t(`hosts.state.${state}`)}</Tag>
      </Group>
      <p className="running-more untrusted">
        {t('hosts.version', { version })} · {t('hosts.runs', { count: running.length })} ·{' '}
        {t('hosts.lastSeen', { time: exactTime(lastSeenAt, language) })}
      </p>
      <RunLinks running={running} />
      {state === 'up' && host.id !== 'single' && <DrainButton host={host} onDrained={onChange} />}
    </li>
  );
}

const maxLinks = 10;

function RunLinks({ running }: { running: readonly string[] }) {
  const { t } = useTranslation();
  const shell = useShell();
  return (
    <Group gap="xs">
      {running.slice(0, maxLinks).map((id) => (
        <button
          key={id}
          type="button"
          className="link"
          aria-label={t('hosts.openRun', { run: id })}
          onClick={() => shell.route.go({ area: 'agent', id })}
        >
          {id.slice(0, 8)}
        </button>
      ))}
    </Group>
  );
}

function DrainButton({ host, onDrained }: { host: ClusterHost; onDrained: () => void }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const { id, name } = host;
  const action = useAction();
  const drain = () =>
    action.run(async () => {
      await client.call(api.hosts.drain, { params: { id } });
      onDrained();
    });
  return (
    <>
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" loading={action.busy} onClick={() => void drain()}>
          {t('hosts.drain')}
        </Button>
        <span className="running-more untrusted">{t('hosts.drainText', { name })}</span>
      </Group>
      {action.error !== null && <ErrorAlert error={action.error} />}
    </>
  );
}
