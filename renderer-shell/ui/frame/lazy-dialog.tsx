import type { ReactNode } from 'react';
import { useDeferredValue, useEffect, useState } from 'react';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { useLoaded } from './use-loaded.ts';

/** What a dialog is told: whether it is wanted. It stays when it is closed, so that the focus finds back. */
export interface DialogProps {
  opened: boolean;
}

/** A dialog whose code is fetched when it opens, or earlier by `prepare`. */
export interface LazyDialog {
  Dialog: (props: DialogProps) => ReactNode;
  prepare: () => void;
}

/**
 * A dialog that is not part of what the page begins with. What cannot be read is read again when the
 * host answers; until then the banner of the frame says that it does not.
 */
export function lazyDialog(read: () => Promise<(props: DialogProps) => ReactNode>): LazyDialog {
  let reading: ReturnType<typeof read> | null = null;
  const load = (): ReturnType<typeof read> => {
    reading ??= read().catch((error: unknown) => {
      reading = null;
      throw error;
    });
    return reading;
  };
  function Read({ opened }: DialogProps) {
    const { state, refresh } = useLoaded(load);
    const online = useStore(useShell().connection.state) === 'online';
    useEffect(() => {
      if (online) refresh();
    }, [online, refresh]);
    return state.kind === 'ready' && <Closed Dialog={state.value} opened={opened} />;
  }
  function DialogWhenOpened({ opened }: DialogProps) {
    const [hasOpened, setHasOpened] = useState(opened);
    if (opened && !hasOpened) setHasOpened(true);
    return hasOpened && <Read opened={opened} />;
  }
  return { Dialog: DialogWhenOpened, prepare: () => void load().catch(() => undefined) };
}

/** Begins closed: a dialog remembers where the focus was only when it opens. */
function Closed({ Dialog, opened }: DialogProps & { Dialog: (props: DialogProps) => ReactNode }) {
  const isReady = useDeferredValue(true, false);
  return <Dialog opened={isReady && opened} />;
}
