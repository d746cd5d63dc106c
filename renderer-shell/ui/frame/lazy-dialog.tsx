import type { ReactNode } from 'react';
import { useDeferredValue, useEffect, useState } from 'react';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { useLoaded } from './use-loaded.ts';

/**
 * `opened` tells if the dialog is open. It stays mounted when it is closed, so that the focus is
 * restored.
 */
export interface DialogProps {
  opened: boolean;
}

/** A dialog that is loaded on demand. */
export interface LazyDialog {
  Dialog: (props: DialogProps) => ReactNode;
  prepare: () => void;
}

/**
 * Loads a dialog that is not part of the initial page. If loading fails, it is repeated when the
 * host answers again; until then the banner of the frame shows the outage.
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

/** Mounts closed: a dialog remembers the previous focus only when it opens. */
function Closed({ Dialog, opened }: DialogProps & { Dialog: (props: DialogProps) => ReactNode }) {
  const isReady = useDeferredValue(true, false);
  return <Dialog opened={isReady && opened} />;
}
