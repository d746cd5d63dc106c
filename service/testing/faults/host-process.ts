import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HostPaths, hostPaths } from '../../app/index.ts';
import { type Client, createClient } from '../../client/index.ts';
import type { WriteFailurePlan, HostMessage, HostOrder, WriteCount } from './host-orders.ts';

const program = join(import.meta.dirname, 'host-program.ts');
const readyLimitMs = 60_000;
const outputCap = 20_000;

/** Modules that are loaded before the host. */
export type Preload = 'fail-writes' | 'shift-clock';

/** A running host process. */
export interface HostProcess {
  readonly pid: number;
  readonly port: number;
  /** Mode after the start. */
  readonly mode: 'SETUP' | 'APP';
  readonly token: string;
  readonly client: Client;
  stderr(): string;
  isAlive(): boolean;
  /** Counts the next writes and makes them fail as planned. Needs `fail-writes`. */
  failWrites(plan: WriteFailurePlan): Promise<void>;
  healWrites(): Promise<WriteCount>;
  /** Needs `shift-clock`. */
  shiftClock(offsetMs: number): Promise<void>;
  memoryBytes(): Promise<number>;
  /** Sends SIGKILL and waits. */
  kill(): Promise<void>;
  /** Sends SIGTERM and waits. */
  stop(): Promise<void>;
}

/** A working directory and the hosts that run in it one after the other. */
export interface HostWorkspace {
  readonly paths: HostPaths;
  /**
   * Starts a host; with `clockOffsetMs` its wall clock is shifted from the start (needs
   * `shift-clock`).
   */
  start(options?: StartOptions): Promise<HostProcess>;
  /** Ends running hosts and deletes the files. */
  cleanUp(): Promise<void>;
}

/** Options of a start. */
export interface StartOptions {
  clockOffsetMs?: number;
}

/** Options of a workspace. */
export interface HostWorkspaceOptions {
  preloads?: Preload[];
  /** True to load the next host while one is running, so that it starts at once. Default false. */
  spare?: boolean;
}

export async function createHostWorkspace(
  options: HostWorkspaceOptions = {},
): Promise<HostWorkspace> {
  const root = await mkdtemp(join(tmpdir(), 'fault-'));
  const paths = hostPaths(join(root, 'work'));
  const loaded = new Set<Loaded>();
  const load = (): Loaded => {
    const one = loadHost(paths.workDirectory, join(root, 'cache'), options.preloads ?? []);
    loaded.add(one);
    return one;
  };
  let spare: Loaded | undefined;
  return {
    paths,
    async start(how = {}) {
      const one = spare ?? load();
      spare = options.spare ? load() : undefined;
      return startHost(one, how);
    },
    async cleanUp() {
      for (const { child } of loaded) await end(child, 'SIGKILL');
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Loaded {
  child: ChildProcess;
  /** Aborted when the process has exited. */
  ended: AbortSignal;
  stderr(): string;
}

const token = 'token-of-the-fault-tests';

function loadHost(workDirectory: string, cacheDirectory: string, preloads: Preload[]): Loaded {
  const loads = preloads.flatMap((name) => ['--import', join(import.meta.dirname, `${name}.ts`)]);
  const args = ['--expose-gc', ...loads, program, workDirectory, token];
  const child = spawn(process.execPath, args, {
    // Keeps compiled code for the next start in the same test.
    env: { ...process.env, NODE_COMPILE_CACHE: cacheDirectory },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr!.on('data', (chunk) => (stderr = (stderr + String(chunk)).slice(-outputCap)));
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  return { child, ended: ended.signal, stderr: () => stderr };
}

async function startHost(loaded: Loaded, how: StartOptions): Promise<HostProcess> {
  try {
    const ready = messageOf(loaded, 'ready');
    loaded.child.send({ do: 'start', ...how } satisfies HostOrder);
    return hostProcess(loaded, await ready);
  } catch (error) {
    await end(loaded.child, 'SIGKILL');
    throw new Error(`The host did not start. It said:\n${loaded.stderr()}`, { cause: error });
  }
}

function hostProcess(loaded: Loaded, ready: { port: number; mode: 'SETUP' | 'APP' }): HostProcess {
  const { child, stderr } = loaded;
  const ask = async (order: HostOrder): Promise<WriteCount | number | null> => {
    const answer = messageOf(loaded, 'answer');
    child.send(order);
    return answer;
  };
  return {
    ...ready,
    token,
    stderr,
    pid: child.pid ?? 0,
    client: createClient({
      baseUrl: `http://127.0.0.1:${ready.port}`,
      token: () => token,
    }),
    isAlive: () => isAlive(child),
    failWrites: (plan) => ask({ do: 'fail', plan }).then(() => undefined),
    healWrites: async () => (await ask({ do: 'heal' })) as WriteCount,
    shiftClock: (offsetMs) => ask({ do: 'clock', offsetMs }).then(() => undefined),
    memoryBytes: async () => (await ask({ do: 'memory' })) as number,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}

type Answers = { [M in HostMessage as keyof M & string]: M[keyof M] };

/** Resolves with a message of the host; rejects if the host exits before. */
async function messageOf<K extends keyof Answers>(
  { child, ended }: Loaded,
  name: K,
): Promise<Answers[K]> {
  const signal = AbortSignal.any([AbortSignal.timeout(readyLimitMs), ended]);
  for (;;) {
    const [message] = (await once(child, 'message', { signal })) as [Partial<Answers>];
    if (name in message) return message[name]!;
  }
}

const isAlive = (child: ChildProcess): boolean =>
  child.exitCode === null && child.signalCode === null;

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isAlive(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
