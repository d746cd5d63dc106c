import { Button, Progress } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { Tag } from '../../ui/frame/alert.tsx';
import type { Installing } from '../../state/market/installing.ts';
import { isRunning, overallPercent } from '../../state/market/installing.ts';
import type { Market } from '../../state/market/market.ts';
import { sourceNameOf } from '../../state/market/source-name.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { PluginIcon } from '../../ui/plugins/plugin-icon.tsx';
import { goTo } from './store-pages.ts';
import { hasNoContributions } from './plugin-warnings.tsx';

interface PluginCardProps {
  market: Market;
  plugin: MarketplacePlugin;
  /** True if Tab reaches the card; the others are reached with the arrow keys. */
  reachable: boolean;
  /** The keyboard step to this card, which then takes the focus; null for none. */
  step: object | null;
  onFocus: () => void;
}

/** Shows a plugin in a few lines with its main action. */
export function PluginCard({ market, plugin, reachable, step, onFocus }: PluginCardProps) {
  const { t } = useTranslation();
  const shell = useShell();
  const button = useRef<HTMLButtonElement>(null);
  const installing = useStore(market.installs.state).get(plugin.id);
  useLayoutEffect(() => {
    if (step) button.current?.focus({ preventScroll: true });
  }, [step]);
  const { id, name, author, description, version } = plugin;
  const by = [author, version].filter((part) => part !== '').join(' · ');
  const tabIndex = reachable ? 0 : -1;
  return (
    <>
      <button
        ref={button}
        type="button"
        className="card-open"
        tabIndex={tabIndex}
        onFocus={onFocus}
        onClick={() => goTo(shell, id)}
      >
        <span className="card-head">
          <PluginIcon plugin={plugin} size={32} />
          <span className="row-text">
            <span className="card-name untrusted">{name}</span>
            <span className="card-by untrusted">{by}</span>
          </span>
        </span>
        <span className="card-text untrusted">{description}</span>
      </button>
      <div className="card-foot">
        <span className="card-source untrusted">
          {sourceNameOf(plugin, t) ?? t('store.noSource')}
        </span>
        <CardState market={market} plugin={plugin} installing={installing} tabIndex={tabIndex} />
      </div>
    </>
  );
}

interface CardStateProps {
  market: Market;
  plugin: MarketplacePlugin;
  installing: Installing | undefined;
  tabIndex: number;
}

function CardState(props: CardStateProps) {
  const { plugin, installing } = props;
  const { installed, installable, updateAvailable } = plugin;
  if (installing && isRunning(installing)) return <CardProgress installing={installing} />;
  return (
    <>
      <CardTag plugin={plugin} failed={installing?.state === 'failed'} />
      {installable && (!installed || updateAvailable) && <CardAction {...props} />}
    </>
  );
}

function CardTag({ plugin, failed }: { plugin: MarketplacePlugin; failed: boolean }) {
  const { t } = useTranslation();
  const { installed, installable, updateAvailable } = plugin;
  if (failed) return <Tag tone="bad">{t('store.failed')}</Tag>;
  if (installed) return updateAvailable ? null : <Tag tone="good">{t('store.isInstalled')}</Tag>;
  if (!installable) return <Tag>{t('store.notInstallable')}</Tag>;
  return hasNoContributions(plugin.warnings) ? (
    <Tag tone="warn">{t('store.nothingUsable')}</Tag>
  ) : null;
}

function CardAction({ market, plugin, installing, tabIndex }: CardStateProps) {
  const { t } = useTranslation();
  const { id, name, installed, updateAvailable } = plugin;
  const kind = installed ? 'update' : 'install';
  const action = t(installing?.state === 'failed' ? 'action.retry' : `store.${kind}`);
  return (
    <Button
      size="compact-xs"
      variant={updateAvailable ? 'filled' : 'default'}
      tabIndex={tabIndex}
      aria-label={t('store.actionOf', { action, name })}
      onClick={() => void market.request(kind, id)}
    >
      {action}
    </Button>
  );
}

function CardProgress({ installing }: { installing: Installing }) {
  const { t } = useTranslation();
  const percent = overallPercent(installing);
  return (
    <Progress
      className="card-progress"
      size="sm"
      value={percent ?? 100}
      animated={percent === null}
      aria-label={t(`store.running.${installing.kind}`)}
    />
  );
}
