import { Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { NotificationList } from './notification-list.tsx';

/** Shows the number of unread notifications; opens their list. */
export function NotificationBell() {
  const { t } = useTranslation();
  const { notifications, view } = useShell();
  const { unread } = useStore(notifications.state);
  const { notificationsOpen } = useStore(view);
  const setOpen = (open: boolean) => {
    view.patch({ notificationsOpen: open });
    if (!open) return;
    notifications.dismiss();
    notifications.refetch().catch(() => undefined);
  };
  const label = t('notifications.bell', { count: unread });
  return (
    <Popover
      opened={notificationsOpen}
      onChange={setOpen}
      position="top-end"
      width={380}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <button
          type="button"
          className="status-item"
          aria-label={label}
          title={label}
          data-tone={unread > 0 ? 'accent' : undefined}
          onClick={() => setOpen(!notificationsOpen)}
        >
          <IconBell size={15} aria-hidden />
          {unread > 0 && <span className="count">{unread > 99 ? '99+' : unread}</span>}
        </button>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={t('notifications.title')}>
        <NotificationList />
      </Popover.Dropdown>
    </Popover>
  );
}
