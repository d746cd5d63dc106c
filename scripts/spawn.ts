import { spawn } from 'node:child_process';

/** Runs a program with this process's streams; signals pass through. Resolves with its exit code. */
export function spawnPassing(
  program: string,
  args: string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', env: environment });
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
