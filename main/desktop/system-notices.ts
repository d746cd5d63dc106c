import { Notification } from 'electron';
import type { DesktopNotification } from '../../service/platform/desktop.ts';

const mostKept = 50;

/** Callbacks of `SystemNotices`. */
export interface NoticeOptions {
  /** Returns true if the person sees the window, which then shows the notification itself. */
  isSeen: () => boolean;
  open: (place: string | null) => void;
}

/** Shows notifications of the system while the window is not in view. */
export class SystemNotices {
  private readonly options: NoticeOptions;
  /** Holds references: an unreferenced notification may be collected before it is clicked. */
  private readonly kept = new Set<Notification>();

  constructor(options: NoticeOptions) {
    this.options = options;
  }

  tell({ title, body, link, level }: DesktopNotification): void {
    if (this.options.isSeen() || !Notification.isSupported()) return;
    const notice = new Notification({ title, body: body ?? '', silent: level === 'info' });
    notice.on('click', () => {
      this.kept.delete(notice);
      this.options.open(link?.startsWith('/') === true ? link : null);
    });
    notice.on('close', () => this.kept.delete(notice));
    this.kept.add(notice);
    if (this.kept.size > mostKept) this.kept.delete([...this.kept][0] as Notification);
    notice.show();
  }
}
