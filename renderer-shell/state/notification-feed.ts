import type { Client } from '../../service/client/index.ts';
import type { Notification } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Store } from '../store.ts';
import { createStore } from '../store.ts';
import { backOffMs, createPause } from '../wait.ts';

const KEPT = 100;
/** A connection that stood this long was a good one: the next attempt comes at once. */
const STEADY_MS = 10_000;

export interface NotificationState {
  loaded: boolean;
  items: Notification[];
  unread: number;
}

/** The history of notifications, kept up to date by one stream. */
export interface NotificationFeed {
  state: Store<NotificationState>;
  refetch(): Promise<void>;
  /** Connect now instead of at the next turn. */
  hurry(): void;
  markRead(id: string): Promise<void>;
  markAllRead(): Promise<void>;
  remove(id: string): Promise<void>;
  close(): void;
}

/** `onNew` hears of each notification that comes while the shell is open. */
export function createNotificationFeed(
  client: Client,
  onNew: (notification: Notification) => void,
): NotificationFeed {
  const state = createStore<NotificationState>({ loaded: false, items: [], unread: 0 });
  const closing = new AbortController();
  const pause = createPause(closing.signal);

  /** Reads one stream to its end. It is asked for before the history, so that none falls between. */
  async function follow(): Promise<void> {
    const { ticket } = await client.call(api.notifications.ticket);
    const attempt = new AbortController();
    const signal = AbortSignal.any([closing.signal, attempt.signal]);
    // The ticket belongs to the access of the endpoint and so is not part of its query.
    const opening = { query: { ticket }, signal } as { signal: AbortSignal };
    const stream = client.stream(api.notifications.stream, opening);
    try {
      let frame = stream.next();
      frame.catch(() => undefined);
      await refetch();
      for (let next = await frame; !next.done; next = await frame) {
        take(next.value.data);
        frame = stream.next();
      }
    } finally {
      attempt.abort();
    }
  }

  async function refetch(): Promise<void> {
    const [items, { count }] = await Promise.all([
      client.call(api.notifications.list, { query: { limit: '100' } }),
      client.call(api.notifications.unreadCount),
    ]);
    state.set({ loaded: true, items, unread: count });
  }

  function take(notification: Notification): void {
    const { items, unread } = state.get();
    if (items.some(({ id }) => id === notification.id)) return;
    state.set({
      loaded: true,
      items: [notification, ...items].slice(0, KEPT),
      unread: unread + (notification.read ? 0 : 1),
    });
    onNew(notification);
  }

  async function keepFollowing(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      const since = Date.now();
      await follow().catch(() => undefined);
      if (Date.now() - since > STEADY_MS) failures = 0;
      await pause.take(backOffMs(failures));
    }
  }

  void keepFollowing();

  return {
    state,
    refetch,
    hurry: () => pause.skip(),
    async markRead(id) {
      const changed = await client.call(api.notifications.read, { params: { id } });
      const { items, unread, loaded } = state.get();
      const before = items.find((item) => item.id === id);
      state.set({
        loaded,
        items: items.map((item) => (item.id === id ? changed : item)),
        unread: before && !before.read ? Math.max(0, unread - 1) : unread,
      });
    },
    async markAllRead() {
      await client.call(api.notifications.readAll);
      await refetch();
    },
    async remove(id) {
      await client.call(api.notifications.remove, { params: { id } });
      await refetch();
    },
    close: () => closing.abort(),
  };
}
