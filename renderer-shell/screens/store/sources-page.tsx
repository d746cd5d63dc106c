import { Skeleton } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import type { Market } from '../../state/market/market.ts';
import { useStore } from '../../core/store.ts';
import { AddSource } from './add-source.tsx';
import { CheckButton } from './check-button.tsx';
import { SourceLine } from './source-line.tsx';
import { StorePage } from './store-page.tsx';

interface SourcesPageProps {
  market: Market;
  narrow: boolean;
}

/** Lists the sources of the store. */
export function SourcesPage({ market, narrow }: SourcesPageProps) {
  const { t } = useTranslation();
  const { listing } = market;
  const { sources, error } = useStore(listing.state);
  return (
    <StorePage
      title={t('store.sources')}
      narrow={narrow}
      actions={<CheckButton market={market} label={t('store.readAll')} />}
    >
      <div className="store-scroll">
        <AddSource market={market} />
        {error !== null && <ErrorAlert error={error} onRetry={() => void listing.refresh()} />}
        {sources === null && error === null && <Skeleton className="late" height={120} />}
        {sources !== null && (
          <ul className="store-lines" aria-label={t('store.sources')}>
            {sources.map((source) => (
              <SourceLine key={source.id} market={market} source={source} />
            ))}
          </ul>
        )}
      </div>
    </StorePage>
  );
}
