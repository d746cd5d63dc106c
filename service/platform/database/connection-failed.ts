import { HostError } from '../../core/host-error.ts';
import type { HostText } from '../../messages/index.ts';

/** A database that cannot be used, with the reason for a person. */
export function connectionFailed(text: HostText, cause?: unknown): HostError {
  return new HostError('unprocessable', 'connection_failed', text, { cause });
}
