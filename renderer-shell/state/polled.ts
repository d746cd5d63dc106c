import type { Watched } from '../core/store.ts';
import { createStore } from '../core/store.ts';

/** A polled value, for which the host sends no events; null until it is loaded. */
export interface Polled<T> extends Watched<T | null> {
  /** Why it could not be loaded, or null. */
  error: Watched<unknown>;
  /** Never rejects: on failure the last known value stays. */
  refresh(): Promise<void>;
  /** Polls more often until the returned function is called. */
  watch(): () => void;
  close(): void;
}

const idleMs = 10_000;
const closeMs = 1_500;

/** Polls while the page is visible, more often while `isMoving`. */
export function createPolled<T>(
  read: () => Promise<T>,
  isMoving: (value: T) => boolean,
): Polled<T> {
  const store = createStore<T | null>(null);
  const error = createStore<unknown>(null);
  let previousText = '';
  let watchers = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: Promise<void> | null = null;
  let closed = false;

  async function ask(): Promise<void> {
    try {
      const next = await read();
      const text = JSON.stringify(next);
      if (text !== previousText) store.set(next);
      previousText = text;
      error.set(null);
    } catch (failure) {
      // The host may be unavailable; the next poll shows it. The last known value stays.
      if (store.get() === null) error.set(failure);
    }
  }

  function plan(): void {
    clearTimeout(timer);
    if (closed) return;
    const now = store.get();
    const isFrequent = watchers > 0 || (now !== null && isMoving(now));
    timer = setTimeout(turn, isFrequent ? closeMs : idleMs);
  }

  function turn(): void {
    if (document.visibilityState === 'hidden') plan();
    else void refresh();
  }

  function refresh(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = null;
      plan();
    });
    return asking;
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    error,
    refresh,
    watch: () => {
      watchers += 1;
      void refresh();
      return () => {
        watchers -= 1;
      };
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}
