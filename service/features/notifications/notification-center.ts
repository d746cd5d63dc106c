import type { NewNotification, Notification } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import { Topic } from '../../core/topic.ts';
import type { HostNotification } from './host-notification.ts';
import type { NotificationStore } from './notification-store.ts';
import { SourceAllowance } from './source-allowance.ts';

/** What the source of a plugin's notification starts with; its id follows. */
export const pluginPrefix = 'plugin:';

/** Other hosts' notifications that are published after one wake-up. */
const maxFollowed = 50;

/** Rows first, then the live stream: whoever hears of a notification finds it in the history. */
export class NotificationCenter {
  readonly created = new Topic<{ event: 'notification'; data: Notification }>();
  private readonly store: NotificationStore;
  /** Ids of what was published; null on a single host. */
  private published: Set<string> | null = null;
  private readonly allowance: SourceAllowance;

  /** `nowMs` is a clock that never goes back. */
  constructor(store: NotificationStore, nowMs: () => number = () => performance.now()) {
    this.store = store;
    this.allowance = new SourceAllowance(nowMs);
  }

  /** What others say. @throws HostError `too_many_notifications` when a plugin sends more than its share */
  async notify(notification: NewNotification): Promise<Notification> {
    if (notification.source.startsWith(pluginPrefix)) this.allowance.take(notification.source);
    return this.add(notification);
  }

  /** What the host says by itself. */
  send(notification: HostNotification): Promise<Notification> {
    return this.add(notification);
  }

  private async add(notification: NewNotification | HostNotification): Promise<Notification> {
    const data = await this.store.add(notification);
    this.publish(data);
    return data;
  }

  /** Publishes what other hosts have stored since the last time; the first time, nothing. */
  async followOthers(): Promise<void> {
    this.store.forgetIds();
    const newest = await this.store.newest(maxFollowed, false);
    if (this.published === null) this.published = new Set(newest.map(({ id }) => id));
    else for (const data of newest.toReversed()) this.publish(data);
  }

  private publish(data: Notification): void {
    if (this.published?.has(data.id) === true) return;
    this.published?.add(data.id);
    this.created.publish({ event: 'notification', data });
  }

  /** What happens at every start is said once: not again while it is in the history. */
  async sendOnce(notification: HostNotification): Promise<void> {
    if (!(await this.store.has(notification))) await this.add(notification);
  }

  list(limit: number, unreadOnly: boolean): Promise<Notification[]> {
    return this.store.newest(limit, unreadOnly);
  }

  unreadCount(): Promise<number> {
    return this.store.countUnread();
  }

  /** A second time keeps the first read time. */
  async read(id: string): Promise<Notification> {
    await this.store.markRead(id);
    const found = await this.store.find(id);
    if (!found) throw unknown();
    return found;
  }

  readAll(): Promise<number> {
    return this.store.markAllRead();
  }

  async remove(id: string): Promise<undefined> {
    if (!(await this.store.remove(id))) throw unknown();
  }
}

function unknown(): HostError {
  return new HostError('missing', 'unknown_notification', msg('notification.unknownNotification'));
}
