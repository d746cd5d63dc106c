import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.tsx';
import { useLoaded } from './use-loaded.ts';

type Screen<P> = (props: P) => ReactNode;

export interface LazyScreen<P> {
  Screen: Screen<P>;
  /** Reads it before it is needed; what fails then is tried again when it is. */
  prepare: () => void;
}

/** A screen that is not part of what the page begins with. */
export function lazyScreen<P extends object>(read: () => Promise<Screen<P>>): LazyScreen<P> {
  let reading: Promise<Screen<P>> | null = null;
  const load = (): Promise<Screen<P>> => {
    reading ??= read().catch((error: unknown) => {
      reading = null;
      throw error;
    });
    return reading;
  };
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
  return { Screen: LazilyRead, prepare: () => void load().catch(() => undefined) };
}
