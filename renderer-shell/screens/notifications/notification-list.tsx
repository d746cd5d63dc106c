import { Button, Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { NotificationItem } from './notification-item.tsx';

export function NotificationList() {
  const { t } = useTranslation();
  const { notifications } = useShell();
  const { loaded, items, unread, error } = useStore(notifications.state);
  const action = useAction();
  const nowMs = useNow();
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
      {action.error !== null && <ErrorNote error={action.error} />}
      {!loaded && error !== null && (
        <div className="list-note">
          <ErrorNote
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

const TICK_MS = 30_000;

/** The time, fresh enough for ages in minutes. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
