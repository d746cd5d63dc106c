import { useCallback, useEffect, useState } from 'react';
import { useRetryOnReconnect } from './use-retry-on-reconnect.ts';

export type Loaded<T> =
  { kind: 'loading' } | { kind: 'failed'; error: unknown } | { kind: 'ready'; value: T };

/** The state of a loaded value. */
export interface Loading<T> {
  state: Loaded<T>;
  /** Loads again; rejects on failure, and the last value stays. */
  reload: () => Promise<void>;
  /** The same without a result; an error is shown if there is no value. */
  refresh: () => void;
}

/**
 * Loads a value when the component is mounted. A new `load` function (see `useCallback`) loads
 * again.
 */
export function useLoaded<T>(load: () => Promise<T>): Loading<T> {
  const [state, setState] = useState<Loaded<T>>({ kind: 'loading' });
  const reload = useCallback(
    () => load().then((value) => setState({ kind: 'ready', value })),
    [load],
  );
  const refresh = useCallback(() => {
    reload().catch((error: unknown) =>
      setState((before) => (before.kind === 'ready' ? before : { kind: 'failed', error })),
    );
  }, [reload]);
  useEffect(refresh, [refresh]);
  useRetryOnReconnect(state.kind === 'failed' ? state.error : undefined, refresh);
  return { state, reload, refresh };
}
