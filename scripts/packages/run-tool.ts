import { spawnSync } from 'node:child_process';

/**
 * Runs a program to its end and returns its output.
 * @throws Error with a message for people
 */
export function runTool(
  program: string,
  args: string[],
  environment: Record<string, string> = {},
): string {
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
  });
  if (error) throw new Error(`${program} cannot be run: ${error.message}`);
  if (status !== 0)
    throw new Error(`${program} ended with code ${String(status)}:\n${stdout}${stderr}`.trim());
  return stdout;
}
