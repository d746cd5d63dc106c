import { Mutex } from 'async-mutex';
import type { Client } from '../../service/client/index.ts';
import type { Notification } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Store } from '../core/store.ts';
import { createStore } from '../core/store.ts';
import { backOffMs, createPause } from '../core/wait.ts';

const MAX_ITEMS = 100;
/** More that come at once are in the history only. */
const MOST_FRESH = 3;
/** A connection that stood this long was a good one: the next attempt comes at once. */
const STEADY_MS = 10_000;

/** History of notifications, the newest first, with the number of unread ones. */
export interface NotificationState {
  loaded: boolean;
  items: Notification[];
  unread: number;
  /** Why there is no history yet. */
  error: unknown;
}

/** Callbacks for the events of the notification stream. */
export interface FeedListener {
  /** Hears of each notification that comes while the shell is open. */
  onNew: (notification: Notification) => void;
  /** The MCP servers may stand otherwise than when it was asked last. */
  onMcp: () => void;
  /** The package of a plugin was replaced. */
  onReplaced: () => void;
  /** The stream is open, for the first time or again. */
  onConnected: () => void;
}

/** The history of notifications, kept up to date by one stream until it is closed. */
export class NotificationFeed {
  readonly state: Store<NotificationState> = createStore<NotificationState>({
    loaded: false,
    items: [],
    unread: 0,
    error: null,
  });
  /** What came while the shell is open and nobody has put away, newest last. */
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

  /** Rejects when it fails; the state says why, where there is nothing else to show. */
  refetch(): Promise<void> {
    return this.#lock.runExclusive(() =>
      this.#fetch().catch((error: unknown) => {
        const now = this.state.get();
        if (!now.loaded) this.state.set({ ...now, error });
        throw error;
      }),
    );
  }

  /** Puts away what came; without an id all of it. It stays in the history. */
  dismiss(id?: string): void {
    this.fresh.set(this.fresh.get().filter((each) => id !== undefined && each.id !== id));
  }

  async #fetch(): Promise<void> {
    // Counted first: what comes in between is then in the list, and its frame corrects the count.
    const { count } = await this.#client.call(api.notifications.unreadCount);
    const items = await this.#client.call(api.notifications.list, {
      query: { limit: String(MAX_ITEMS) },
    });
    this.state.set({ loaded: true, items, unread: count, error: null });
  }

  /** Connect now instead of at the next turn. */
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

  /** Reads one stream to its end. It is asked for before the history, so that none falls between. */
  async #follow(): Promise<void> {
    const { ticket } = await this.#client.call(api.notifications.ticket);
    const attempt = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, attempt.signal]);
    // The ticket belongs to the access of the endpoint and so is not part of its query.
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
    if (!notification.read) this.fresh.set([...this.fresh.get(), notification].slice(-MOST_FRESH));
    this.#listener.onNew(notification);
  }

  async #recount(): Promise<void> {
    const { count } = await this.#client.call(api.notifications.unreadCount);
    this.state.set({ ...this.state.get(), unread: count });
  }
}
