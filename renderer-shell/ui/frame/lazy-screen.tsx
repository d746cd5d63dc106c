import type { ReactNode } from 'react';
import { useState } from 'react';
import { ErrorAlert } from './error-alert.tsx';
import { useLoaded } from './use-loaded.ts';

type Screen<P> = (props: P) => ReactNode;

/** A screen that is loaded on demand. */
export interface LazyScreen<P> {
  Screen: Screen<P>;
  /** Loads it early, and never rejects; after a failure it is loaded again when it is needed. */
  prepare: () => Promise<void>;
}

/** Loads a screen that is not part of the initial page. */
export function lazyScreen<P extends object>(read: () => Promise<Screen<P>>): LazyScreen<P> {
  let reading: Promise<Screen<P>> | null = null;
  let loaded: Screen<P> | null = null;
  const load = (): Promise<Screen<P>> => {
    reading ??= read().then(
      (screen) => (loaded = screen),
      (error: unknown) => {
        reading = null;
        throw error;
      },
    );
    return reading;
  };
  /** A loaded screen appears at once; a visible one stays the same from then on. */
  function ScreenSlot(props: P) {
    const [LoadedScreen] = useState(() => loaded);
    return LoadedScreen ? <LoadedScreen {...props} /> : <LazilyRead {...props} />;
  }
  function LazilyRead(props: P) {
    const { state, refresh } = useLoaded(load);
    if (state.kind === 'ready') return <state.value {...props} />;
    return (
      <main className="content" hidden={'hidden' in props && props.hidden === true}>
        {state.kind === 'failed' && (
          <div className="content-note">
            <ErrorAlert error={state.error} onRetry={refresh} />
          </div>
        )}
      </main>
    );
  }
  const prepare = () =>
    load().then(
      () => undefined,
      () => undefined,
    );
  return { Screen: ScreenSlot, prepare };
}
