import type { ReactNode } from 'react';
import { useState } from 'react';
import { ErrorNote } from './error-note.tsx';
import { useLoaded } from './use-loaded.ts';

type Screen<P> = (props: P) => ReactNode;

export interface LazyScreen<P> {
  Screen: Screen<P>;
  /** Reads it before it is needed, and never rejects; what fails then is tried again when it is. */
  prepare: () => Promise<void>;
}

/** A screen that is not part of what the page begins with. */
export function lazyScreen<P extends object>(read: () => Promise<Screen<P>>): LazyScreen<P> {
  let reading: Promise<Screen<P>> | null = null;
  let known: Screen<P> | null = null;
  const load = (): Promise<Screen<P>> => {
    reading ??= read().then(
      (screen) => (known = screen),
      (error: unknown) => {
        reading = null;
        throw error;
      },
    );
    return reading;
  };
  /** What was read before is there at once; what is shown stays the same one from then on. */
  function Shown(props: P) {
    const [Known] = useState(() => known);
    return Known ? <Known {...props} /> : <LazilyRead {...props} />;
  }
  function LazilyRead(props: P) {
    const { state, refresh } = useLoaded(load);
    if (state.kind === 'ready') return <state.value {...props} />;
    return (
      <main className="content" hidden={'hidden' in props && props.hidden === true}>
        {state.kind === 'failed' && (
          <div className="content-note">
            <ErrorNote error={state.error} onRetry={refresh} />
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
  return { Screen: Shown, prepare };
}
