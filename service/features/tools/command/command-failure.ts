import { readableText } from '../../../core/readable-text.ts';

export interface CommandEnd {
  exitCode?: number | null;
  signal?: string;
  timedOut?: true;
  error?: string;
}

export const cancelled = 'The command was cancelled and ended.';

const maxLine = 300;

/** Why a command failed, in a sentence for people; the last line that it wrote as an error is in it. */
export function commandFailure(end: CommandEnd & { stderr: string }): string {
  const { exitCode, signal, timedOut, error, stderr } = end;
  if (timedOut) return 'The command ran out of time and was ended with all that it started.';
  if (error !== undefined) return error;
  const lastLine = stderr.trim().split('\n').at(-1)?.trim() ?? '';
  const reason = readableText(lastLine).sentence.slice(0, maxLine);
  if (signal !== undefined)
    return reason === ''
      ? `The command was ended by ${signal}.`
      : `The command was ended by ${signal}: ${reason}`;
  return reason === ''
    ? `The command ended with exit code ${exitCode}.`
    : `The command ended with exit code ${exitCode}: ${reason}`;
}
