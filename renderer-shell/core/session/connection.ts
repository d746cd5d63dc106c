import type { Store } from '../store.ts';
import { createStore } from '../store.ts';
import { backOffMs, createPause } from '../wait.ts';

export type ConnectionState = 'online' | 'offline';

/**
 * Tracks whether the service can be reached. While it cannot, it is probed at growing intervals.
 */
export interface Connection {
  state: Store<ConnectionState>;
  /** Reports that a call did not reach the service. */
  failed(): void;
  /** Reports that a call reached the service. */
  worked(): void;
  /** Probes now instead of after the current pause. */
  tryNow(): void;
  close(): void;
}

/** `probe` resolves when the service answers. */
export function createConnection(probe: () => Promise<void>): Connection {
  const state = createStore<ConnectionState>('online');
  const closing = new AbortController();
  const pause = createPause(closing.signal);
  let watching = false;

  async function watch(): Promise<void> {
    for (let failures = 1; state.get() === 'offline'; failures += 1) {
      await pause.take(backOffMs(failures));
      if (closing.signal.aborted) return;
      await probe().then(
        () => state.set('online'),
        () => undefined,
      );
    }
  }

  return {
    state,
    failed: () => {
      state.set('offline');
      if (watching || closing.signal.aborted) return;
      watching = true;
      void watch().finally(() => (watching = false));
    },
    worked: () => state.set('online'),
    tryNow: () => pause.skip(),
    close: () => closing.abort(),
  };
}
