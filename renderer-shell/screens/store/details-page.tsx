import { ActionIcon, Skeleton } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin, PluginDetails } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import { Alert, Tag } from '../../ui/frame/alert.tsx';
import type { Loaded } from '../../ui/frame/use-loaded.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useTitle } from '../../ui/frame/window-title.ts';
import type { Market } from '../../state/market/market.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { PluginIcon } from '../../ui/plugins/plugin-icon.tsx';
import { DetailsActions } from './details-actions.tsx';
import { DetailsAside } from './details-aside.tsx';
import { DetailsMain } from './details-main.tsx';
import { goTo } from './store-pages.ts';
import { usePreview, withPreview } from './use-preview.ts';

interface DetailsPageProps {
  market: Market;
  id: string;
  narrow: boolean;
}

/** Shows one plugin: its description, contributions, permissions and origin. */
export function DetailsPage({ market, id, narrow }: DetailsPageProps) {
  const { t } = useTranslation();
  const { state, refresh } = useDetails(market, id);
  useStore(market.listing.state);
  const current = state.kind === 'ready' ? state.value : market.listing.find(id);
  return (
    <main className="content">
      <DetailsHead market={market} id={id} plugin={current} state={state} narrow={narrow} />
      {state.kind === 'failed' && (
        <div className="content-note">
          <ErrorAlert error={state.error} onRetry={refresh} />
        </div>
      )}
      {state.kind !== 'failed' && (
        <div className="pages">
          <div
            className="store-details"
            tabIndex={0}
            role="region"
            aria-label={current?.name ?? id}
          >
            {state.kind === 'loading' && <Skeleton className="late" height={240} />}
            {state.kind === 'ready' && (
              <Details key={state.value.id} market={market} plugin={state.value} />
            )}
          </div>
        </div>
      )}
      {state.kind === 'failed' && current && (
        <div className="content-note">
          <Alert tone="accent">
            <p className="plain untrusted">{current.description || t('store.noDescription')}</p>
          </Alert>
        </div>
      )}
    </main>
  );
}

function Details({ market, plugin }: { market: Market; plugin: PluginDetails }) {
  const preview = usePreview(market, plugin);
  const previewed = withPreview(plugin, preview.state);
  return (
    <>
      <DetailsMain market={market} plugin={previewed} preview={preview} />
      <DetailsAside plugin={previewed} />
    </>
  );
}

/** Reads the details again whenever the list is read, since they may have changed. */
function useDetails(market: Market, id: string) {
  const load = useCallback(() => market.details(id), [market, id]);
  const loading = useLoaded(load);
  const { refresh } = loading;
  const { items } = useStore(market.listing.state);
  useEffect(() => {
    if (items !== null) refresh();
  }, [items, refresh]);
  return loading;
}

interface DetailsHeadProps extends DetailsPageProps {
  plugin: MarketplacePlugin | undefined;
  state: Loaded<PluginDetails>;
}

function DetailsHead({ market, id, plugin, state, narrow }: DetailsHeadProps) {
  const { t } = useTranslation();
  const shell = useShell();
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(plugin?.name ?? id);
  useEffect(() => {
    const from = document.activeElement;
    // Moves the focus from a card to the heading; does not interrupt typing.
    if (from === document.body || from?.closest('.cards')) heading.current?.focus();
  }, []);
  return (
    <header className="toolbar">
      {narrow && <ShowListButton label={t('store.showList')} />}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('store.back')}
        onClick={() => goTo(shell, null)}
      >
        <IconArrowLeft size={18} aria-hidden />
      </ActionIcon>
      {plugin && <PluginIcon plugin={plugin} size={22} />}
      <h1 ref={heading} tabIndex={-1} className="untrusted">
        {plugin?.name ?? id}
      </h1>
      {plugin?.installed === true && (
        <Tag tone={plugin.updateAvailable ? 'accent' : 'good'}>
          {t(plugin.updateAvailable ? 'store.hasUpdate' : 'store.isInstalled')}
        </Tag>
      )}
      <span className="toolbar-gap" />
      {state.kind === 'ready' && <DetailsActions market={market} plugin={state.value} />}
    </header>
  );
}
