import { readableText } from '../../../core/readable-text.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** The end of a command, for the message of its failure. */
export interface CommandEnd {
  exitCode?: number | null;
  signal?: string;
  timedOut?: true;
  error?: Message;
}

export const cancelled = msg('commandRun.cancelled');

const maxLine = 300;

/** Returns the reason why a command failed, for people; it contains the last line of stderr. */
export function commandFailure(end: CommandEnd & { stderr: string }): Message {
  const { exitCode, signal, timedOut, error, stderr } = end;
  if (timedOut) return msg('commandRun.timedOut');
  if (error !== undefined) return error;
  const lastLine = stderr.trim().split('\n').at(-1)?.trim() ?? '';
  const reason = readableText(lastLine).sentence.slice(0, maxLine);
  if (signal !== undefined)
    return reason === ''
      ? msg('commandRun.endedBySignal', { signal })
      : msg('commandRun.endedBySignalBecause', { signal, reason });
  return reason === ''
    ? msg('commandRun.endedWithCode', { code: String(exitCode) })
    : msg('commandRun.endedWithCodeBecause', { code: String(exitCode), reason });
}
