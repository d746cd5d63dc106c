import { jsonObject } from '../../core/json.ts';

/** Returns the most descriptive argument of a call for its heading. */
export function gistOf(args: Record<string, unknown> | null): string {
  const descriptiveNames = ['command', 'query', 'url', 'path', 'name', 'text'];
  const strings = Object.entries(args ?? {}).filter(([, value]) => typeof value === 'string');
  const [, value] = strings.find(([key]) => descriptiveNames.includes(key)) ?? strings[0] ?? [];
  return typeof value === 'string' ? value : '';
}

/** The output of a command. */
export interface CommandOutput {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Returns the output of a command; null for other output. */
export function commandOutputOf(output: string): CommandOutput | null {
  const value = jsonObject(output);
  if (!value || typeof value['stdout'] !== 'string' || typeof value['stderr'] !== 'string')
    return null;
  const exitCode = typeof value['exitCode'] === 'number' ? value['exitCode'] : null;
  return { exitCode, stdout: value['stdout'], stderr: value['stderr'] };
}
