import { HostError } from '../../core/host-error.ts';

/** A database that cannot be used, with the reason for a person. */
export function connectionFailed(message: string, cause?: unknown): HostError {
  return new HostError('unprocessable', 'connection_failed', message, { cause });
}
