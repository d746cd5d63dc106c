import { Age } from '../../ui/frame/age.tsx';
import { ActionIcon, Anchor } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Notification } from '../../../service/contract/index.ts';
import type { Action } from '../../ui/frame/use-action.ts';
import { routeOfPath } from '../../state/address.ts';
import type { Shell } from '../../state/shell.ts';
import { useShell } from '../../state/shell.ts';
import { webAddress } from '../../core/web-address.ts';
import { notificationText } from '../../core/messages/notification-text.ts';

interface NotificationItemProps {
  notification: Notification;
  action: Action;
  nowMs: number;
}

export function NotificationItem({ notification, action, nowMs }: NotificationItemProps) {
  const { t } = useTranslation();
  const shell = useShell();
  const { id, level, createdAt, read } = notification;
  return (
    <li className="notice" data-level={level} data-read={read}>
      <NotificationText notification={notification}>
        {' · '}
        <Age at={createdAt} nowMs={nowMs} />
        {notification.link !== null && ' · '}
        <NotificationLink notification={notification} />
      </NotificationText>
      {!read && (
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={t('notifications.read')}
          title={t('notifications.read')}
          onClick={() => void action.run(() => shell.notifications.markRead(id))}
        >
          <IconCheck size={14} aria-hidden />
        </ActionIcon>
      )}
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={t('notifications.remove')}
        title={t('notifications.remove')}
        onClick={() => void action.run(() => shell.notifications.remove(id))}
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </li>
  );
}

interface NotificationTextProps {
  notification: Notification;
  /** Shown after the sender. */
  children?: ReactNode;
}

export function NotificationText({ notification, children }: NotificationTextProps) {
  const { t } = useTranslation();
  const shell = useShell();
  const { title, body } = notificationText(notification);
  return (
    <div className="notice-text">
      <p className="notice-title untrusted">{title}</p>
      {body !== null && <p className="notice-body untrusted">{body}</p>}
      <p className="notice-more">
        <span className="untrusted">
          {sourceName(notification, shell, {
            host: t('notifications.host'),
            agent: t('notifications.agent'),
          })}
        </span>
        {children}
      </p>
    </div>
  );
}

/** Only paths of the shell and https addresses become links; anything else is omitted. */
export function NotificationLink({ notification: { link } }: { notification: Notification }) {
  const { t } = useTranslation();
  const { route, view } = useShell();
  if (link === null) return null;
  const target = routeOfPath(link);
  if (target) {
    const open = () => {
      route.go(target);
      view.patch({ notificationsOpen: false });
    };
    return (
      <button type="button" className="link" onClick={open}>
        {t('notifications.open')}
      </button>
    );
  }
  const url = webAddress(link);
  if (url?.protocol !== 'https:') return null;
  return (
    <Anchor size="xs" href={url.href} target="_blank" rel="noopener noreferrer">
      {url.hostname}
    </Anchor>
  );
}

export function sourceName(
  { source }: Notification,
  { plugins }: Shell,
  names: Readonly<Record<'host' | 'agent', string>>,
): string {
  if (source === 'agent') return names.agent;
  if (!source.startsWith('plugin:')) return names.host;
  const id = source.slice('plugin:'.length);
  return plugins.find(id)?.name ?? id;
}
