import type { MessageOutcome } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { problemOf } from '../../../http/problems.ts';

export const maxRunning = 100;
const maxDetailsLength = 20_000;

export function cancelled(): HostError {
  return new HostError('conflict', 'turn_cancelled', 'The turn was cancelled.');
}

export function tooMany(): HostError {
  const message = `${maxRunning} turns are running. Wait for one of them, or cancel it.`;
  return new HostError('conflict', 'too_many_turns', message);
}

/** What is stored with an answer that was not finished. */
export function outcomeOf(error: unknown, state: 'error' | 'cancelled'): MessageOutcome {
  const code = error instanceof HostError ? error.code : '';
  if (code === 'host_closing') return { state: 'interrupted' };
  if (code === 'turn_cancelled') return { state: 'cancelled' };
  const { detail, details } = problemOf(error);
  const data = details?.slice(0, maxDetailsLength);
  return { state, message: detail, ...(data === undefined ? {} : { details: data }) };
}
