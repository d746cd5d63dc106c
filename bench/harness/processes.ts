import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

const stopLimitMs = 6_000;
const portLimitMs = 30_000;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a Node program that ends with this one at the latest. */
export function startNode(args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return startProgram(process.execPath, args, options);
}

function startProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const child = spawn(program, args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Sends SIGTERM, and SIGKILL after 6 s. Resolves when the process has exited. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
  await exited;
  clearTimeout(patience);
}

/** A running server process. */
export interface Server {
  pid: number;
  port: number;
  stop(): Promise<void>;
}

/** Starts a server that prints its port as `PORT=…`. Rejects if it exits instead. */
export async function startServer(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  program = process.execPath,
): Promise<Server> {
  const child = startProgram(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  try {
    const port = await reportedPort(child);
    return { pid: child.pid ?? 0, port, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

/** Returns the port that the process prints as `PORT=…`. Rejects if it exits instead. */
export function reportedPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    let complaints = '';
    const fail = (why: string): void => reject(new Error(`${why}\n${output}${complaints}`));
    const patience = setTimeout(() => fail('A server did not tell its port.'), portLimitMs);
    child.once('exit', () => fail('A server ended while it was started.'));
    child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const port = /PORT=(\d+)\n/.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(patience);
      resolve(Number(port));
    });
  });
}
