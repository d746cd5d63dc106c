import { Button, Skeleton } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { useNow } from '../../ui/frame/use-now.ts';
import { NotificationItem } from './notification-item.tsx';

/** Often enough for ages in minutes. */
const tickMs = 30_000;

export function NotificationList() {
  const { t } = useTranslation();
  const { notifications } = useShell();
  const { loaded, items, unread, error } = useStore(notifications.state);
  const action = useAction();
  const nowMs = useNow(tickMs);
  return (
    <section className="notices">
      <header className="details-head">
        <h2>{t('notifications.title')}</h2>
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={unread === 0 || action.busy}
          onClick={() => void action.run(() => notifications.markAllRead())}
        >
          {t('notifications.readAll')}
        </Button>
      </header>
      {action.error !== null && <ErrorAlert error={action.error} />}
      {!loaded && error !== null && (
        <div className="list-note">
          <ErrorAlert
            error={error}
            onRetry={() => void notifications.refetch().catch(() => undefined)}
          />
        </div>
      )}
      {!loaded && error === null && <Skeleton className="late" height={80} m="sm" w="auto" />}
      {loaded && items.length === 0 && <p className="list-note">{t('notifications.none')}</p>}
      <ul>
        {items.map((item) => (
          <NotificationItem key={item.id} notification={item} action={action} nowMs={nowMs} />
        ))}
      </ul>
    </section>
  );
}
