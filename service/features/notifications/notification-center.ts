import type { NewNotification, Notification } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import { Topic } from '../../core/topic.ts';
import type { HostNotification } from './host-notification.ts';
import type { NotificationStore } from './notification-store.ts';
import { SourceAllowance } from './source-allowance.ts';

/** Prefix of the source of a plugin's notification; the plugin id follows. */
export const pluginPrefix = 'plugin:';

/** Maximum number of notifications of other hosts that are published after one wake-up. */
const maxFollowed = 50;

/**
 * Stores a notification before it is sent to the live stream, so that a listener also finds it in
 * the history.
 */
export class NotificationCenter {
  readonly created = new Topic<{ event: 'notification'; data: Notification }>();
  private readonly store: NotificationStore;
  /** Ids of published notifications; null on a single host. */
  private published: Set<string> | null = null;
  private readonly allowance: SourceAllowance;

  /** `nowMs` is a monotonic clock. */
  constructor(store: NotificationStore, nowMs: () => number = () => performance.now()) {
    this.store = store;
    this.allowance = new SourceAllowance(nowMs);
  }

  /**
   * Adds a notification of a client or plugin. @throws HostError `too_many_notifications` if a
   * plugin exceeds its rate limit
   */
  async notify(notification: NewNotification): Promise<Notification> {
    if (notification.source.startsWith(pluginPrefix)) this.allowance.take(notification.source);
    return this.add(notification);
  }

  /** Adds a notification of the host itself. */
  send(notification: HostNotification): Promise<Notification> {
    return this.add(notification);
  }

  private async add(notification: NewNotification | HostNotification): Promise<Notification> {
    const data = await this.store.add(notification);
    this.publish(data);
    return data;
  }

  /**
   * Publishes notifications that other hosts have stored since the last call; the first call
   * publishes none.
   */
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

  /**
   * Adds a notification about a state that recurs at every start, unless the same one is still in
   * the history.
   */
  async sendOnce(notification: HostNotification): Promise<void> {
    if (!(await this.store.has(notification))) await this.add(notification);
  }

  list(limit: number, unreadOnly: boolean): Promise<Notification[]> {
    return this.store.newest(limit, unreadOnly);
  }

  unreadCount(): Promise<number> {
    return this.store.countUnread();
  }

  /** Reading again keeps the first read time. */
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
