import { useCallback, useEffect, useState } from 'react';
import { useRetryOnReconnect } from './use-retry-on-reconnect.ts';

export type Loaded<T> =
  { kind: 'loading' } | { kind: 'failed'; error: unknown } | { kind: 'ready'; value: T };

/** A value of the service, with the ways to read it again. */
export interface Loading<T> {
  state: Loaded<T>;
  /** Reads again; rejects when that fails, and what was there stays. */
  reload: () => Promise<void>;
  /** The same for whoever does not wait: a failure is shown where there is nothing else to show. */
  refresh: () => void;
}

/** What `load` reads, from the first time that it is shown. A new `load` (see `useCallback`) reads anew. */
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
