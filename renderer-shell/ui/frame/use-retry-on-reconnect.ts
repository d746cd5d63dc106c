import { use, useEffect } from 'react';
import { ServiceError } from '../../../service/client/index.ts';
import { ShellContext } from '../../state/shell.ts';
import { PageError } from '../../core/messages/page-error.ts';

const AGAIN_MS = 2_000;

/**
 * What failed (`error`; undefined: nothing did) while the host was away is tried again when it is back.
 * It may be back before anybody here listens, or answer before it is ready; so what passes by itself is
 * also tried in between.
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
