import { CloseButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Notification } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { notificationText } from '../../core/messages/notification-text.ts';
import { NotificationLink, NotificationText, sourceName } from './notification-item.tsx';

/** How long a notification stays that needs no action, in milliseconds. */
const VISIBLE_MS = 8_000;

/**
 * Shows new notifications as a line of the status bar, where they cover nothing. They are announced
 * to screen readers and never take the focus. The newest one is visible; the previous one returns
 * after it has gone.
 */
export function Toasts() {
  const { t } = useTranslation();
  const { notifications } = useShell();
  const newest = useStore(notifications.fresh).at(-1);
  return (
    <section className="toasts" aria-label={t('notifications.new')} aria-live="polite">
      {newest && <Toast key={newest.id} notification={newest} />}
    </section>
  );
}

/** Shows one notification; hovering or focusing it shows its complete text above the line. */
function Toast({ notification }: { notification: Notification }) {
  const { t } = useTranslation();
  const shell = useShell();
  const [isHovered, setHovered] = useState(false);
  const { id, level } = notification;
  const { title, body } = notificationText(notification);
  // Errors stay until they are dismissed; others stay while the pointer or the focus is on them.
  const stays = isHovered || level === 'error';
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(() => shell.notifications.dismiss(id), VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [stays, shell, id]);
  const setHoveredTo = (now: boolean) => () => setHovered(now);
  return (
    <div
      className="toast"
      data-level={level}
      onPointerEnter={setHoveredTo(true)}
      onPointerLeave={setHoveredTo(false)}
      onFocus={setHoveredTo(true)}
      onBlur={setHoveredTo(false)}
    >
      <p className="toast-line">
        <span className="quiet untrusted">
          {sourceName(notification, shell, {
            host: t('notifications.host'),
            agent: t('notifications.agent'),
          })}
        </span>{' '}
        <strong className="untrusted">{title}</strong>{' '}
        {body !== null && <span className="quiet untrusted">{body}</span>}
      </p>
      <NotificationLink notification={notification} />
      <CloseButton
        size="xs"
        aria-label={t('notifications.dismiss')}
        onClick={() => shell.notifications.dismiss(id)}
      />
      {isHovered && (
        <div className="toast-whole" aria-hidden>
          <NotificationText notification={notification} />
        </div>
      )}
    </div>
  );
}
