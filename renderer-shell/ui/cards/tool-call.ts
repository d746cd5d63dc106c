import { jsonObject } from '../../core/json.ts';

/** The one argument that says most about a call, for its head. */
export function gistOf(args: Record<string, unknown> | null): string {
  const summaryKeys = ['command', 'query', 'url', 'path', 'name', 'text'];
  const strings = Object.entries(args ?? {}).filter(([, value]) => typeof value === 'string');
  const [, value] = strings.find(([key]) => summaryKeys.includes(key)) ?? strings[0] ?? [];
  return typeof value === 'string' ? value : '';
}

/** Output of `execute_command`; the exit code is null where the command was ended. */
export interface CommandOutput {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** What a command printed; null when the output is of another kind. */
export function commandOutputOf(output: string): CommandOutput | null {
  const value = jsonObject(output);
  if (!value || typeof value['stdout'] !== 'string' || typeof value['stderr'] !== 'string')
    return null;
  const exitCode = typeof value['exitCode'] === 'number' ? value['exitCode'] : null;
  return { exitCode, stdout: value['stdout'], stderr: value['stderr'] };
}
