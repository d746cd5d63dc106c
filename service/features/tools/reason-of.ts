import { HostError } from '../../core/host-error.ts';
import type { HostText } from '../../messages/index.ts';

/** What an expected failure says to a person and a model; null for any other error. */
export function reasonOf(error: unknown): HostText | null {
  return error instanceof HostError ? error.text : null;
}
