import { jsonObject } from '../../core/json.ts';

/** The output of a command that a tool ran. */
export interface CommandOutput {
  /** Null if a signal ended the command. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

const maxLines = 5;
/** Characters of a line. */
const maxLine = 300;

/** Returns the output of a command; null when the text is of another kind. */
export function commandOutputOf(text: string): CommandOutput | null {
  const value = jsonObject(text);
  if (!value || typeof value['stdout'] !== 'string' || typeof value['stderr'] !== 'string')
    return null;
  const exitCode = typeof value['exitCode'] === 'number' ? value['exitCode'] : null;
  return { exitCode, stdout: value['stdout'], stderr: value['stderr'] };
}

/** Returns the last lines of the error output, or of the output where there is none. */
export function lastLinesOf({ stdout, stderr }: CommandOutput): string {
  const text = stderr.trim() === '' ? stdout : stderr;
  return text
    .trim()
    .split('\n')
    .slice(-maxLines)
    .map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)}…` : line))
    .join('\n');
}
