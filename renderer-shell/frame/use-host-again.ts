import { use, useEffect } from 'react';
import { ShellContext } from '../state/shell.ts';

/** What failed since the host was away is tried again when it is back. */
export function useHostAgain(failed: boolean, retry: () => void): void {
  const connection = use(ShellContext)?.connection.state;
  useEffect(() => {
    if (!failed) return undefined;
    return connection?.subscribe(() => {
      if (connection.get() === 'online') retry();
    });
  }, [connection, failed, retry]);
}
