import { spawn } from 'node:child_process';

/**
 * Runs a program with this process's streams and passes signals on. Resolves with its exit code.
 * With `output: 'stderr'` its stdout goes to stderr.
 */
export function spawnPassing(
  program: string,
  args: string[],
  { output = 'stdout' }: { output?: 'stdout' | 'stderr' } = {},
): Promise<number> {
  const stdout = output === 'stderr' ? 2 : 'inherit';
  const child = spawn(program, args, { stdio: ['inherit', stdout, 'inherit'] });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'];
  for (const signal of signals) process.on(signal, pass);
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${program} cannot be started: ${error.message}\n`);
      resolve(1);
    });
    child.once('exit', (code) => {
      for (const signal of signals) process.off(signal, pass);
      resolve(code ?? 1);
    });
  });
}
