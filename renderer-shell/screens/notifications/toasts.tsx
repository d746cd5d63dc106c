import { CloseButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Notification } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../store.ts';
import { NotificationText } from './notification-item.tsx';

/** How long something is shown that needs nobody. */
const SHOWN_MS = 8_000;

/** What comes while the shell is open, in a corner: it is read out, and never takes the focus. */
export function Toasts() {
  const { t } = useTranslation();
  const { notifications } = useShell();
  const fresh = useStore(notifications.fresh);
  return (
    <section className="toasts" aria-label={t('notifications.new')} aria-live="polite">
      {fresh.map((notification) => (
        <Toast key={notification.id} notification={notification} />
      ))}
    </section>
  );
}

function Toast({ notification }: { notification: Notification }) {
  const { t } = useTranslation();
  const shell = useShell();
  const [held, setHeld] = useState(false);
  const { id, level } = notification;
  // An error waits until somebody has seen it, and what somebody reads stays.
  const stays = held || level === 'error';
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(() => shell.notifications.dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [stays, shell, id]);
  const hold = (now: boolean) => () => setHeld(now);
  return (
    <div
      className="notice"
      data-level={level}
      data-read="false"
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocus={hold(true)}
      onBlur={hold(false)}
    >
      <NotificationText notification={notification} />
      <CloseButton
        size="sm"
        aria-label={t('notifications.dismiss')}
        onClick={() => shell.notifications.dismiss(id)}
      />
    </div>
  );
}
