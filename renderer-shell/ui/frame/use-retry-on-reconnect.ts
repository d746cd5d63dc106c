import { use, useEffect } from 'react';
import { ServiceError } from '../../../service/client/index.ts';
import { ShellContext } from '../../state/shell.ts';
import { PageError } from '../../core/messages/page-error.ts';

const AGAIN_MS = 2_000;

/**
 * Repeats a failed action (`error`; undefined for none) when the host is back. The host may be back
 * before this hook subscribes, or answer before it is ready; transient errors are therefore also
 * retried in between.
 */
export function useRetryOnReconnect(error: unknown, retry: () => void): void {
  const connection = use(ShellContext)?.connection.state;
  useEffect(() => {
    if (error === undefined || !connection) return undefined;
    const again = () => {
      if (connection.get() === 'online') retry();
    };
    const timer = passes(error) ? setInterval(again, AGAIN_MS) : undefined;
    const leave = connection.subscribe(again);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, [connection, error, retry]);
}

function passes(error: unknown): boolean {
  if (error instanceof ServiceError)
    return error.problem.code === 'unreachable' || error.problem.status === 503;
  return !(error instanceof PageError);
}
