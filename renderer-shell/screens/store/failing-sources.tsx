import { Button, Group } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import type { Market } from '../../state/market/market.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { goTo, sourcesPageId } from './store-pages.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

/** The list of sources shows the others. */
const maxVisible = 3;

/** Lists sources that cannot be read now; their earlier listing stays visible. */
export function FailingSources({ market, sourceId }: { market: Market; sourceId: string | null }) {
  const { t } = useTranslation();
  const shell = useShell();
  const { listing } = market;
  const { items, sources, error, checking } = useStore(listing.state);
  const failing = (sources ?? []).filter(
    (source) =>
      source.enabled && source.error !== undefined && (sourceId ?? source.id) === source.id,
  );
  if (items === null || (failing.length === 0 && error === null)) return null;
  return (
    <div className="content-note">
      {error !== null && <ErrorAlert error={error} onRetry={() => void listing.refresh()} />}
      {failing.length > 0 && (
        <Alert tone="warn" title={t('store.failing', { count: failing.length })} role="status">
          <ul className="untrusted">
            {failing.slice(0, maxVisible).map(({ id, name, error: reason = '', errorMessage }) => (
              <li key={id}>
                {name}: {hostMessage(errorMessage, reason)}
              </li>
            ))}
          </ul>
          <Group gap="xs" mt="xs">
            <Button
              size="xs"
              variant="default"
              loading={checking.size > 0}
              onClick={() => void market.check(failing.map(({ id }) => id))}
            >
              {t('action.retry')}
            </Button>
            <Button size="xs" variant="subtle" onClick={() => goTo(shell, sourcesPageId)}>
              {t('store.manage')}
            </Button>
          </Group>
        </Alert>
      )}
    </div>
  );
}
