import { type HostText, type Message, msg, textOf } from '../messages/index.ts';

/** Number of steps of a run, of those that are done, and of those that were skipped. */
interface Tally {
  steps: number;
  done: number;
  left: number;
}

/** The step that ended a run, by its index from 0; `more` steps failed in addition. */
interface Failure {
  step: number;
  title: string;
  reason: HostText;
  more: number;
}

/** Texts that are not from the host may lack a full stop before the next sentence. */
function withFullStop(text: HostText): HostText {
  const english = textOf(text);
  if (english === '' || /[.!?…。！？]$/.test(english)) return text;
  return msg('text.withFullStop', { text });
}

export const tallyMessage = ({ steps, done, left }: Tally): Message =>
  msg('run.tally', { steps, done, left });

/** Message for a failed run; it counts steps from 1. */
export function failureMessage({ step, title, reason, more }: Failure): Message {
  const why = withFullStop(reason);
  const number = step + 1;
  return title === ''
    ? msg('run.stepFailed', { step: number, reason: why, more })
    : msg('run.titledStepFailed', { step: number, title, reason: why, more });
}

/**
 * Returns the outcome of a run with the tally of its steps. `what` is the goal or the failure;
 * empty: only the tally.
 */
export const outcomeMessage = (what: HostText, tally: Tally): HostText =>
  what === ''
    ? tallyMessage(tally)
    : msg('run.outcome', { outcome: what, tally: tallyMessage(tally) });
