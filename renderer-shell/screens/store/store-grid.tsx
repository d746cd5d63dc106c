import { Button, Skeleton } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { PluginStoreSource } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import type { Filter } from '../../state/market/filter.ts';
import { filtered, isFiltered, noFilter } from '../../state/market/filter.ts';
import type { Market } from '../../state/market/market.ts';
import { chooseInstall } from '../../state/choose-install.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { categoryName } from '../../ui/plugins/category-name.ts';
import { CardList } from './card-list.tsx';
import { FailingSources } from './failing-sources.tsx';
import { focusCard, goTo, sourcesPageId } from './store-pages.ts';

interface StoreGridProps {
  market: Market;
  hidden: boolean;
  narrow: boolean;
}

/** Shows all plugins that match the filter as cards. */
export function StoreGrid({ market, hidden, narrow }: StoreGridProps) {
  const { t } = useTranslation();
  const { view } = useShell();
  const filter = useStore(market.filter);
  const { items, sources } = useStore(market.listing.state);
  const found = useMemo(() => filtered(items ?? [], filter), [items, filter]);
  const total = items?.length ?? 0;
  const wasHidden = useRef(hidden);
  useEffect(() => {
    const isReturning = wasHidden.current && !hidden;
    wasHidden.current = hidden;
    if (isReturning && document.activeElement === document.body) focusCard();
  }, [hidden]);
  return (
    <main className="content" hidden={hidden}>
      <header className="toolbar">
        {narrow && <ShowListButton label={t('store.showList')} />}
        <h1 className="untrusted">{useTitle(filter, sources)}</h1>
        {items !== null && (
          <span className="store-found" role="status">
            {found.length === total
              ? t('store.count', { count: total })
              : t('store.countOf', { count: found.length, total })}
          </span>
        )}
        <span className="toolbar-gap" />
        <Button size="xs" variant="default" onClick={() => void chooseInstall(view)}>
          {t('install.open')}
        </Button>
      </header>
      <FailingSources market={market} sourceId={filter.sourceId} />
      <GridBody market={market} found={found} filter={filter} />
    </main>
  );
}

function useTitle(filter: Filter, sources: readonly PluginStoreSource[] | null): string {
  const { t } = useTranslation();
  const { installed, sourceId, category } = filter;
  if (installed) return t('store.installed');
  if (category !== null) return categoryName(t, category);
  if (sourceId !== null) return sources?.find(({ id }) => id === sourceId)?.name ?? sourceId;
  return t('store.all');
}

interface GridBodyProps {
  market: Market;
  found: ReturnType<typeof filtered>;
  filter: Filter;
}

function GridBody({ market, found, filter }: GridBodyProps) {
  const { t } = useTranslation();
  const { items, error } = useStore(market.listing.state);
  if (items === null && error !== null) {
    return (
      <div className="content-note">
        <ErrorAlert error={error} onRetry={() => void market.listing.refresh()} />
      </div>
    );
  }
  if (items === null) {
    return (
      <div className="cards-waiting late">
        {[0, 1, 2, 3, 4, 5].map((index) => (
          <Skeleton key={index} height={148} />
        ))}
      </div>
    );
  }
  if (found.length > 0)
    return <CardList key={JSON.stringify(filter)} market={market} items={found} />;
  return (
    <div className="pages">
      <div className="empty">
        {isFiltered(filter) ? (
          <>
            <p className="untrusted">{t('store.noneFound')}</p>
            <Button variant="default" onClick={() => market.filter.set(noFilter)}>
              {t('store.showAll')}
            </Button>
          </>
        ) : (
          <EmptyStore market={market} />
        )}
      </div>
    </div>
  );
}

/** Introduces the store, with the first action. */
function EmptyStore({ market }: { market: Market }) {
  const { t } = useTranslation();
  const shell = useShell();
  const { sources } = useStore(market.listing.state);
  const failing = sources?.some(({ enabled, error }) => enabled && error !== undefined) === true;
  return (
    <>
      <p>{t(failing ? 'store.noneRead' : 'store.none')}</p>
      <Button onClick={() => goTo(shell, sourcesPageId)}>{t('store.addSource')}</Button>
    </>
  );
}
