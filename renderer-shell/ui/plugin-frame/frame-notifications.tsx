import { CloseButton } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { NotifyParams } from '../../state/plugin-frame/bridge-messages.ts';

/** Limit of visible notifications of a page; the oldest are removed first. */
export const MAX_NOTIFICATIONS = 3;

/** A visible notification of a plugin page. */
export interface FrameNotification extends Pick<NotifyParams, 'level' | 'title' | 'body'> {
  key: number;
}

interface FrameNotificationsProps {
  notifications: FrameNotification[];
  onDismiss: (key: number) => void;
}

/**
 * Shows notifications of a page that may not use the host's notification center, inside of the
 * page's area.
 */
export function FrameNotifications({ notifications, onDismiss }: FrameNotificationsProps) {
  const { t } = useTranslation();
  return (
    <div className="frame-notices" aria-live="polite">
      {notifications.map(({ key, level, title, body }) => (
        <div key={key} className="notice" data-level={level}>
          <div className="notice-text">
            <p className="notice-title untrusted">{title}</p>
            {body && <p className="notice-body untrusted">{body}</p>}
          </div>
          <CloseButton
            size="sm"
            aria-label={t('notifications.dismiss')}
            onClick={() => onDismiss(key)}
          />
        </div>
      ))}
    </div>
  );
}
