import { HostError } from '../core/host-error.ts';
import { asHostError } from '../http/problems.ts';
import { databaseProblem } from '../platform/database/database-problem.ts';

/**
 * What ends a start whose database is as it should be. SETUP is no way out of it: there who has no
 * token could choose another database.
 */
export function cannotStart(cause: unknown): HostError {
  return new HostError('unavailable', 'cannot_start', messageOf(cause), { cause });
}

function messageOf(cause: unknown): string {
  if (cause instanceof HostError) return `The service cannot start: ${cause.message}`;
  const { path, code: reason = 'unknown' } = cause as NodeJS.ErrnoException;
  if (path !== undefined)
    return (
      `The service cannot start: ${path} cannot be used (${reason}). ` +
      'Check what lies there and its permissions, and start again.'
    );
  return 'The service cannot start, and its database is not the reason. The log has the details.';
}

export const isCannotStart = (error: unknown): boolean =>
  error instanceof HostError && error.code === 'cannot_start';

/** Why a database leads to SETUP. */
export function databaseFailure(error: unknown): HostError {
  return asHostError(error) ?? databaseProblem(error) ?? notPrepared(error);
}

function notPrepared(cause: unknown): HostError {
  const message = 'The database could not be prepared. The log has the details.';
  return new HostError('unprocessable', 'startup_failed', message, { cause });
}
