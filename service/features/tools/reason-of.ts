import { HostError } from '../../core/host-error.ts';

/** What an expected failure says to a person and a model; null for any other error. */
export function reasonOf(error: unknown): string | null {
  return error instanceof HostError ? error.message : null;
}
