import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startNode, stop } from './processes.ts';

/** LangGraph with its SQLite checkpoints, in its own process. */
export interface Graphs {
  /** Runs a graph with a checkpoint file of its own. Rejects if the process ends first. */
  run(shape: 'chain' | 'fan-out'): Promise<void>;
  stop(): Promise<void>;
}

const folder = join(import.meta.dirname, '..', 'peers');
const installLimitMs = 180_000;

/** Starts LangGraph; null if it cannot be installed. */
export async function startGraphs(directory: string): Promise<Graphs | null> {
  if (!(await isInstalled()) && !(await install())) return null;
  const child = startNode([join(folder, 'graphs.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('LangGraph has ended.')));
  ended.catch(() => undefined);
  const lines = createInterface({ input: child.stdout! });
  let count = 0;
  return {
    async run(shape) {
      const answered = once(lines, 'line');
      const file = join(directory, `graph-${(count += 1)}.db`);
      child.stdin!.write(`${JSON.stringify({ shape, file })}\n`);
      await Promise.race([answered, ended]);
    },
    stop: () => stop(child),
  };
}

const stamp = join(folder, 'node_modules', '.installed');
const lock = (): Promise<string> => readFile(join(folder, 'package-lock.json'), 'utf8');

async function isInstalled(): Promise<boolean> {
  return (await readFile(stamp, 'utf8').catch(() => null)) === (await lock());
}

async function install(): Promise<boolean> {
  process.stderr.write('Installing LangGraph to compare with\n');
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const npm = spawn('npm', args, {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    timeout: installLimitMs,
    shell: process.platform === 'win32',
  });
  const [code] = (await once(npm, 'exit').catch(() => [1])) as [number | null];
  if (code === 0) await writeFile(stamp, await lock());
  return code === 0;
}
