import { Mutex } from 'async-mutex';
import type { Client } from '../../service/client/index.ts';
import type { Notification } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Store } from '../core/store.ts';
import { createStore } from '../core/store.ts';
import { backOffMs, createPause } from '../core/wait.ts';

const MAX_ITEMS = 100;
/** If more arrive at once, the others are only in the history. */
const MAX_FRESH = 3;
/**
 * A connection that was open this long counts as stable, so the next attempt follows without a
 * delay.
 */
const STEADY_MS = 10_000;

/** The history of notifications. */
export interface NotificationState {
  loaded: boolean;
  items: Notification[];
  unread: number;
  /** Why the history could not be loaded. */
  error: unknown;
}

/** Callbacks for the frames of the notification stream. */
export interface FeedListener {
  /** Called for each notification that arrives while the shell is open. */
  onNew: (notification: Notification) => void;
  /** Called when the status of MCP servers may have changed. */
  onMcp: () => void;
  /** Called when the package of a plugin was replaced. */
  onReplaced: () => void;
  /** Called when the stream opens, for the first time or again. */
  onConnected: () => void;
}

/** The history of notifications, kept current by one stream until it is closed. */
export class NotificationFeed {
  readonly state: Store<NotificationState> = createStore<NotificationState>({
    loaded: false,
    items: [],
    unread: 0,
    error: null,
  });
  /** Notifications that arrived in this session and are not dismissed, newest last. */
  readonly fresh: Store<readonly Notification[]> = createStore<readonly Notification[]>([]);
  readonly #client: Client;
  readonly #listener: FeedListener;
  readonly #closing = new AbortController();
  readonly #pause = createPause(this.#closing.signal);
  readonly #lock = new Mutex();

  constructor(client: Client, listener: FeedListener) {
    this.#client = client;
    this.#listener = listener;
    void this.#keepFollowing();
  }

  /** Rejects on failure; the error is also in the state if there is no history to show. */
  refetch(): Promise<void> {
    return this.#lock.runExclusive(() =>
      this.#fetch().catch((error: unknown) => {
        const now = this.state.get();
        if (!now.loaded) this.state.set({ ...now, error });
        throw error;
      }),
    );
  }

  /** Dismisses a new notification, or all of them without an id. They stay in the history. */
  dismiss(id?: string): void {
    this.fresh.set(this.fresh.get().filter((each) => id !== undefined && each.id !== id));
  }

  async #fetch(): Promise<void> {
    // The count is read first: a notification that arrives in between is then in the list, and its
    // frame corrects the count.
    const { count } = await this.#client.call(api.notifications.unreadCount);
    const items = await this.#client.call(api.notifications.list, {
      query: { limit: String(MAX_ITEMS) },
    });
    this.state.set({ loaded: true, items, unread: count, error: null });
  }

  /** Connects now instead of after the current pause. */
  reconnectNow(): void {
    this.#pause.skip();
  }

  markRead(id: string): Promise<void> {
    return this.#lock.runExclusive(async () => {
      const changed = await this.#client.call(api.notifications.read, { params: { id } });
      this.dismiss(id);
      const { items, unread, ...rest } = this.state.get();
      const wasUnread = items.some((item) => item.id === id && !item.read);
      this.state.set({
        ...rest,
        items: items.map((item) => (item.id === id ? changed : item)),
        unread: wasUnread ? Math.max(0, unread - 1) : unread,
      });
    });
  }

  markAllRead(): Promise<void> {
    return this.#lock.runExclusive(async () => {
      await this.#client.call(api.notifications.readAll);
      this.dismiss();
      await this.#fetch();
    });
  }

  remove(id: string): Promise<void> {
    return this.#lock.runExclusive(async () => {
      await this.#client.call(api.notifications.remove, { params: { id } });
      this.dismiss(id);
      await this.#fetch();
    });
  }

  close(): void {
    this.#closing.abort();
  }

  async #keepFollowing(): Promise<void> {
    for (let failures = 1; !this.#closing.signal.aborted; failures += 1) {
      const since = Date.now();
      await this.#follow().catch(() => undefined);
      if (Date.now() - since > STEADY_MS) failures = 1;
      await this.#pause.take(backOffMs(failures));
    }
  }

  /**
   * Reads one stream to its end. The stream is opened before the history is read, so that no
   * notification is missed.
   */
  async #follow(): Promise<void> {
    const { ticket } = await this.#client.call(api.notifications.ticket);
    const attempt = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, attempt.signal]);
    // The ticket belongs to the endpoint's access and is therefore not declared in its query.
    const opening = { query: { ticket, also: 'shell' as const }, signal };
    const stream = this.#client.stream(api.notifications.stream, opening);
    try {
      let frame = stream.next();
      frame.catch(() => undefined);
      await this.refetch();
      this.#listener.onMcp();
      this.#listener.onConnected();
      for (let next = await frame; !next.done; next = await frame) {
        const message = next.value;
        if (message.event === 'notification')
          await this.#lock.runExclusive(() => this.#take(message.data));
        else if (message.event === 'plugin_replaced') this.#listener.onReplaced();
        else this.#listener.onMcp();
        frame = stream.next();
      }
    } finally {
      attempt.abort();
    }
  }

  async #take(notification: Notification): Promise<void> {
    const { items, unread } = this.state.get();
    if (items.some(({ id }) => id === notification.id)) return this.#recount();
    this.state.set({
      loaded: true,
      error: null,
      items: [notification, ...items].slice(0, MAX_ITEMS),
      unread: unread + (notification.read ? 0 : 1),
    });
    if (!notification.read) this.fresh.set([...this.fresh.get(), notification].slice(-MAX_FRESH));
    this.#listener.onNew(notification);
  }

  async #recount(): Promise<void> {
    const { count } = await this.#client.call(api.notifications.unreadCount);
    this.state.set({ ...this.state.get(), unread: count });
  }
}
