import { Notification } from 'electron';
import type { DesktopNotification } from '../../service/platform/desktop.ts';

const maxRetained = 50;

/** Callbacks of `SystemNotifications`. */
export interface NotificationOptions {
  /** Returns true if the person sees the window, which then shows the notification itself. */
  isSeen: () => boolean;
  open: (path: string | null) => void;
}

/** Shows notifications of the system while the window is not in view. */
export class SystemNotifications {
  private readonly options: NotificationOptions;
  /** Holds references: an unreferenced notification may be collected before it is clicked. */
  private readonly retained = new Set<Notification>();

  constructor(options: NotificationOptions) {
    this.options = options;
  }

  show({ title, body, link, level }: DesktopNotification): void {
    if (this.options.isSeen() || !Notification.isSupported()) return;
    const notification = new Notification({ title, body: body ?? '', silent: level === 'info' });
    notification.on('click', () => {
      this.retained.delete(notification);
      this.options.open(link?.startsWith('/') === true ? link : null);
    });
    notification.on('close', () => this.retained.delete(notification));
    this.retained.add(notification);
    if (this.retained.size > maxRetained)
      this.retained.delete([...this.retained][0] as Notification);
    notification.show();
  }
}
