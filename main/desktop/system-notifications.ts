import { Notification } from 'electron';
import type { DesktopNotification } from '../../service/platform/desktop.ts';

const maxOpen = 50;

/** Where a click on a notification of the system leads; a null route opens the shell as it is. */
export interface SystemNotificationOptions {
  /** Whether a person looks at the window, which shows it itself. */
  isSeen: () => boolean;
  open: (route: string | null) => void;
}

/** What happens while nobody looks at the window, told by the system. */
export class SystemNotifications {
  private readonly options: SystemNotificationOptions;
  /** The system may drop one that nobody holds before it is clicked. */
  private readonly visible = new Set<Notification>();

  constructor(options: SystemNotificationOptions) {
    this.options = options;
  }

  notify({ title, body, link, level }: DesktopNotification): void {
    if (this.options.isSeen() || !Notification.isSupported()) return;
    const notice = new Notification({ title, body: body ?? '', silent: level === 'info' });
    notice.on('click', () => {
      this.visible.delete(notice);
      this.options.open(link?.startsWith('/') === true ? link : null);
    });
    notice.on('close', () => this.visible.delete(notice));
    this.visible.add(notice);
    if (this.visible.size > maxOpen) this.visible.delete([...this.visible][0] as Notification);
    notice.show();
  }
}
