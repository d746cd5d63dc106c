import { HostError } from '../../core/host-error.ts';
import type { HostText } from '../../messages/index.ts';

/** Error of a database that cannot be used, with the reason. */
export function connectionFailed(text: HostText, cause?: unknown): HostError {
  return new HostError('unprocessable', 'connection_failed', text, { cause });
}
