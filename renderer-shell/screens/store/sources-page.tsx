import { Button, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../frame/error-note.tsx';
import { ShowListButton } from '../../frame/list-pane.tsx';
import type { Market } from '../../market/market.ts';
import { useStore } from '../../store.ts';
import { AddSource } from './add-source.tsx';
import { SourceLine } from './source-line.tsx';

interface SourcesPageProps {
  market: Market;
  narrow: boolean;
}

/** Where the plugins of the store come from. */
export function SourcesPage({ market, narrow }: SourcesPageProps) {
  const { t } = useTranslation();
  const { listing } = market;
  const { sources, error, checking } = useStore(listing.state);
  return (
    <main className="content">
      <header className="toolbar">
        {narrow && <ShowListButton label={t('store.showList')} />}
        <h1>{t('store.sources')}</h1>
        <span className="toolbar-gap" />
        <Button
          size="xs"
          variant="default"
          loading={checking.size > 0}
          onClick={() => void market.check()}
        >
          {t('store.readAll')}
        </Button>
      </header>
      <div className="store-scroll">
        <AddSource market={market} />
        {error !== null && <ErrorNote error={error} onRetry={() => void listing.refresh()} />}
        {sources === null && error === null && <Skeleton className="late" height={120} />}
        {sources !== null && (
          <ul className="store-lines" aria-label={t('store.sources')}>
            {sources.map((source) => (
              <SourceLine key={source.id} market={market} source={source} />
            ))}
          </ul>
        )}
      </div>
    </main>
  );
}
