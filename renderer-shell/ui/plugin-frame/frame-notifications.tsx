import { CloseButton } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { NotifyParams } from '../../state/plugin-frame/bridge-messages.ts';

/** A page can show no more than this at a time; the oldest go first. */
export const MAX_NOTIFICATIONS = 3;

/** A notification inside the area of a plugin's frame. */
export interface FrameNotification extends Pick<NotifyParams, 'level' | 'title' | 'body'> {
  key: number;
}

interface FrameNotificationsProps {
  notifications: FrameNotification[];
  onDismiss: (key: number) => void;
}

/** Notices of a page that may not use the host's centre: they stay inside the area of the page. */
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
