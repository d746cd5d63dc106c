import { type HostText, type Message, msg, textOf } from '../messages/index.ts';

interface Tally {
  steps: number;
  done: number;
  left: number;
}

/** `step` is the index of the step that ended the run; `more` steps failed beside it. */
interface Failure {
  step: number;
  title: string;
  reason: HostText;
  more: number;
}

/** Texts of others may end without a full stop, and something follows them. */
function withFullStop(text: HostText): HostText {
  const english = textOf(text);
  if (english === '' || /[.!?…。！？]$/.test(english)) return text;
  return msg('text.withFullStop', { text });
}

export const tallyMessage = ({ steps, done, left }: Tally): Message =>
  msg('run.tally', { steps, done, left });

export function failureMessage({ step, title, reason, more }: Failure): Message {
  const why = withFullStop(reason);
  const number = step + 1;
  return title === ''
    ? msg('run.stepFailed', { step: number, reason: why, more })
    : msg('run.titledStepFailed', { step: number, title, reason: why, more });
}

/** Returns what a run came to: what it was for, or the step that failed, and how its steps ended. */
export const outcomeMessage = (what: HostText, tally: Tally): HostText =>
  what === ''
    ? tallyMessage(tally)
    : msg('run.outcome', { outcome: what, tally: tallyMessage(tally) });
