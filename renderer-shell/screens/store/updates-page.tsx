import { Button } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { Alert, Tag } from '../../ui/frame/alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import type { UpdateResult } from '../../state/market/installing.ts';
import { isRunning, resultOf, tally } from '../../state/market/installing.ts';
import type { Market } from '../../state/market/market.ts';
import { updatesIn } from '../../state/plugin-list.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { PluginIcon } from '../../ui/plugins/plugin-icon.tsx';
import { CheckButton } from './check-button.tsx';
import { FailingSources } from './failing-sources.tsx';
import { InstallProgress } from './install-progress.tsx';
import { goTo } from './store-pages.ts';
import { StorePage } from './store-page.tsx';

interface UpdatesPageProps {
  market: Market;
  narrow: boolean;
}

/** Lists available updates, installs one or all of them, and shows the results. */
export function UpdatesPage({ market, narrow }: UpdatesPageProps) {
  const { t } = useTranslation();
  const { plugins } = useShell();
  useStore(plugins.state);
  const installs = useStore(market.installs.state);
  const updates = updatesIn(plugins);
  const isBusy = [...installs.values()].some(isRunning);
  return (
    <StorePage
      title={t('store.updates')}
      narrow={narrow}
      actions={
        <>
          <CheckButton market={market} label={t('store.check')} />
          <Button
            size="xs"
            disabled={updates.length === 0 || isBusy}
            onClick={() => void market.updateAll(updates)}
          >
            {t('store.updateAll')}
          </Button>
        </>
      }
    >
      <FailingSources market={market} sourceId={null} />
      <RoundSummary market={market} />
      <UpdateRows market={market} updates={updates} />
    </StorePage>
  );
}

function UpdateRows({ market, updates }: { market: Market; updates: MarketplacePlugin[] }) {
  const { t } = useTranslation();
  const { plugins } = useShell();
  const round = useStore(market.round);
  const listed = [...updates];
  for (const id of round?.ids ?? []) {
    const plugin = plugins.find(id);
    if (plugin && !listed.includes(plugin)) listed.push(plugin);
  }
  if (listed.length === 0) {
    return (
      <div className="pages">
        <div className="empty">
          <p>{t('store.noUpdates')}</p>
        </div>
      </div>
    );
  }
  return (
    <ul className="store-lines" aria-label={t('store.updates')}>
      {listed.map((plugin) => (
        <UpdateRow key={plugin.id} market={market} plugin={plugin} />
      ))}
    </ul>
  );
}

const tones = {
  waiting: undefined,
  running: 'accent',
  completed: 'good',
  failed: 'bad',
  cancelled: undefined,
  asks: 'warn',
} as const;

function UpdateRow({ market, plugin }: { market: Market; plugin: MarketplacePlugin }) {
  const { t } = useTranslation();
  const shell = useShell();
  const installing = useStore(market.installs.state).get(plugin.id);
  const round = useStore(market.round);
  const { id, name, installedVersion, updateAvailable } = plugin;
  const result: UpdateResult | null = round?.ids.includes(id)
    ? resultOf(round, id, installing)
    : null;
  const runs = installing !== undefined && isRunning(installing);
  return (
    <li className="store-line">
      <div className="store-line-head">
        <PluginIcon plugin={plugin} size={26} />
        <button type="button" className="link untrusted" onClick={() => goTo(shell, id)}>
          {name}
        </button>
        <span className="store-line-text">
          <span className="untrusted">{installedVersion}</span>
          {updateAvailable && <OfferedVersion market={market} id={id} />}
        </span>
        {result !== null && <Tag tone={tones[result]}>{t(`store.result.${result}`)}</Tag>}
        <span className="toolbar-gap" />
        {updateAvailable && !runs && (
          <UpdateButton market={market} plugin={plugin} result={result} />
        )}
      </div>
      {installing && installing.state !== 'completed' && (
        <InstallProgress market={market} plugin={plugin} />
      )}
    </li>
  );
}

interface UpdateButtonProps {
  market: Market;
  plugin: MarketplacePlugin;
  result: UpdateResult | null;
}

function UpdateButton({ market, plugin: { id, name }, result }: UpdateButtonProps) {
  const { t } = useTranslation();
  const action = t(result === 'asks' ? 'store.look' : 'store.update');
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={t('store.actionOf', { action, name })}
      onClick={() => void market.request('update', id)}
    >
      {action}
    </Button>
  );
}

/** Shows the version of an update once it is known. */
function OfferedVersion({ market, id }: { market: Market; id: string }) {
  const load = useCallback(() => market.details(id), [market, id]);
  const { state } = useLoaded(load);
  const version = state.kind === 'ready' ? (state.value.offered?.version ?? '') : '';
  return version === '' ? null : <span className="untrusted">{` → ${version}`}</span>;
}

/** Shows the results of "Update all" once it is over. */
function RoundSummary({ market }: { market: Market }) {
  const { t } = useTranslation();
  const round = useStore(market.round);
  const installs = useStore(market.installs.state);
  if (!round) return null;
  const counts = tally(round.ids.map((id) => resultOf(round, id, installs.get(id))));
  if (counts.running + counts.waiting > 0) return null;
  const parts = (['completed', 'asks', 'failed', 'cancelled'] as const)
    .filter((result) => counts[result] > 0)
    .map((result) => t(`store.summary.${result}`, { count: counts[result] }));
  const tone = counts.failed > 0 ? 'bad' : counts.asks > 0 ? 'warn' : 'good';
  return (
    <div className="content-note">
      <Alert tone={tone} role="status">
        <span>{parts.join(' ')}</span>{' '}
        <button type="button" className="link" onClick={() => market.round.set(null)}>
          {t('store.dismiss')}
        </button>
      </Alert>
    </div>
  );
}
