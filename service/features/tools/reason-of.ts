import { HostError } from '../../core/host-error.ts';
import type { HostText } from '../../messages/index.ts';

/** Returns the message of an expected failure, for people and models; null for any other error. */
export function reasonOf(error: unknown): HostText | null {
  return error instanceof HostError ? error.text : null;
}
