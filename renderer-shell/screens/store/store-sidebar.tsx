import { RowButton } from '../../ui/frame/row-button.tsx';
import { ActionIcon, Skeleton, Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconApps,
  IconArrowUp,
  IconCheck,
  IconDatabase,
  IconFolder,
  IconRefresh,
  IconSettings,
} from '@tabler/icons-react';
import type { ComponentType, KeyboardEvent, ReactNode } from 'react';
import { useMemo } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ListPane } from '../../ui/frame/list-pane.tsx';
import type { Counts, Filter } from '../../state/market/filter.ts';
import { countsOf, noFilter } from '../../state/market/filter.ts';
import type { Market } from '../../state/market/market.ts';
import { updatesIn } from '../../state/plugin-list.ts';
import { localizeSourceName } from '../../state/market/source-name.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { categoryName } from '../../ui/plugins/category-name.ts';
import { focusCard, goTo, sourcesPageId, updatesPageId } from './store-pages.ts';

interface StoreSidebarProps {
  market: Market;
  id: string | null;
  hidden: boolean;
}

export function StoreSidebar({ market, id, hidden }: StoreSidebarProps) {
  const { t } = useTranslation();
  const shell = useShell();
  const filter = useStore(market.filter);
  const { checking } = useStore(market.listing.state);
  const search = (query: string) => {
    market.filter.set({ ...filter, query });
    if (id !== null) shell.route.go({ area: 'store', id: null });
  };
  return (
    <div className="store-side" onKeyDown={toCards} hidden={hidden}>
      <ListPane
        title={t('store.title')}
        hidden={false}
        search={{ label: t('store.search'), value: filter.query, onChange: search }}
        action={
          <Tooltip label={t('store.check')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('store.check')}
              loading={checking.size > 0}
              onClick={() => void market.check()}
            >
              <IconRefresh size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        }
      >
        <StoreRows market={market} id={id} filter={filter} />
      </ListPane>
    </div>
  );
}

/** Moves the focus from the search field to the results on Enter. */
function toCards(event: KeyboardEvent): void {
  const { key, target, nativeEvent } = event;
  if (key !== 'Enter' || nativeEvent.isComposing || !(target instanceof HTMLInputElement)) return;
  // Otherwise the key would also press the focused card.
  event.preventDefault();
  focusCard();
}

interface RowsProps {
  market: Market;
  id: string | null;
  filter: Filter;
}

function StoreRows({ market, id, filter }: RowsProps) {
  const { t } = useTranslation();
  const shell = useShell();
  const { items } = useStore(market.listing.state);
  const counts = useMemo(() => countsOf(items ?? []), [items]);
  useStore(shell.plugins.state);
  if (items === null) return <Skeleton className="late" height={120} m="sm" w="auto" />;
  const show = (change: Partial<Filter>) => {
    market.filter.set({ ...noFilter, query: filter.query, ...change });
    goTo(shell, null);
  };
  const { installed, sourceId, category } = filter;
  const all = id === null && !installed && sourceId === null && category === null;
  return (
    <div className="store-rows">
      <ul className="rows">
        <Row icon={IconApps} chosen={all} count={counts.all} onClick={() => show({})}>
          {t('store.all')}
        </Row>
        <Row
          icon={IconCheck}
          chosen={id === null && installed}
          count={counts.installed}
          onClick={() => show({ installed: true })}
        >
          {t('store.installed')}
        </Row>
        <Row
          icon={IconArrowUp}
          chosen={id === updatesPageId}
          count={updatesIn(shell.plugins).length}
          onClick={() => goTo(shell, updatesPageId)}
        >
          {t('store.updates')}
        </Row>
      </ul>
      <SourceRows market={market} id={id} filter={filter} counts={counts} show={show} />
      <CategoryRows id={id} filter={filter} counts={counts} show={show} />
    </div>
  );
}

interface PartProps {
  id: string | null;
  filter: Filter;
  counts: Counts;
  show: (change: Partial<Filter>) => void;
}

function SourceRows({ market, id, filter, counts, show }: PartProps & { market: Market }) {
  const { t } = useTranslation();
  const shell = useShell();
  const { sources } = useStore(market.listing.state);
  return (
    <section aria-labelledby="store-sources">
      <h3 id="store-sources">{t('store.sources')}</h3>
      <ul className="rows">
        {(sources ?? [])
          .filter(({ enabled }) => enabled)
          .map((source) => (
            <Row
              key={source.id}
              icon={source.error === undefined ? IconDatabase : IconAlertTriangle}
              tone={source.error === undefined ? undefined : 'warn'}
              chosen={id === null && filter.sourceId === source.id}
              count={counts.bySource.get(source.id) ?? 0}
              onClick={() => show({ sourceId: source.id })}
            >
              {localizeSourceName(source.name, t)}
            </Row>
          ))}
        <Row
          icon={IconSettings}
          chosen={id === sourcesPageId}
          onClick={() => goTo(shell, sourcesPageId)}
        >
          {t('store.manage')}
        </Row>
      </ul>
    </section>
  );
}

function CategoryRows({ id, filter, counts, show }: PartProps) {
  const { t } = useTranslation();
  if (counts.byCategory.length < 2) return null;
  return (
    <section aria-labelledby="store-categories">
      <h3 id="store-categories">{t('store.categories')}</h3>
      <ul className="rows">
        {counts.byCategory.map(([category, count]) => (
          <Row
            key={category}
            icon={IconFolder}
            chosen={id === null && filter.category === category}
            count={count}
            onClick={() => show({ category })}
          >
            {categoryName(t, category)}
          </Row>
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  tone?: 'warn' | undefined;
  chosen: boolean;
  count?: number;
  onClick: () => void;
  children: ReactNode;
}

function Row({ icon: Icon, tone, chosen, count, onClick, children }: RowProps) {
  return (
    <li>
      <RowButton chosen={chosen} onClick={onClick}>
        <span className="store-row-icon" data-tone={tone}>
          <Icon size={16} aria-hidden />
        </span>
        <span className="row-text">
          <span className="row-name untrusted">{children}</span>
        </span>
        {count !== undefined && count > 0 && <span className="store-count">{count}</span>}
      </RowButton>
    </li>
  );
}
