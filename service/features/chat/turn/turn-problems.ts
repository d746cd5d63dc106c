import type { MessageOutcome } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { problemOf } from '../../../http/problems.ts';
import { msg } from '../../../messages/index.ts';

/** Limit of turns that run at the same time. */
export const maxRunning = 100;
const maxDetailsLength = 20_000;

export function cancelled(): HostError {
  return new HostError('conflict', 'turn_cancelled', msg('chat.answerCancelled'));
}

export function tooMany(): HostError {
  const text = msg('chat.tooManyAnswers', { limit: maxRunning });
  return new HostError('conflict', 'too_many_turns', text);
}

/** The reason stored with an unfinished answer. */
export function outcomeOf(error: unknown, state: 'error' | 'cancelled'): MessageOutcome {
  const code = error instanceof HostError ? error.code : '';
  if (code === 'host_closing') return { state: 'interrupted' };
  if (code === 'turn_cancelled') return { state: 'cancelled' };
  const { detail, message: text, details } = problemOf(error);
  return {
    state,
    message: detail,
    ...(text === undefined ? {} : { text }),
    ...(details === undefined ? {} : { details: details.slice(0, maxDetailsLength) }),
  };
}
