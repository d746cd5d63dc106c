import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { treeVariable } from '../../platform/process-marker.ts';
import { killTree, signal } from '../../platform/process-tree.ts';

// A separate process that owns a directory and the processes in it. It ends both as soon as the
// channel to its parent closes, even if the parent was killed.

const quickEndLimitMs = 3_000;
const orderlyEndLimitMs = 30_000;
const killLimitMs = 10_000;
const stoppedLimitMs = 5_000;
const outputCap = 20_000;
const setpriv = '/usr/bin/setpriv';

/** A command line. */
export interface Command {
  program: string;
  args: string[];
  /** Text for its standard input. */
  input?: string;
}

export type Order =
  /** Runs it to its end; rejects with its output unless the exit code is 0. */
  | { do: 'run'; command: Command }
  /** Starts it and writes its output to `server.log`. `end` is the signal that ends it at once. */
  | { do: 'serve'; command: Command; end: NodeJS.Signals }
  /** Sends this signal to the server and waits for its end. */
  | { do: 'stop'; signal: NodeJS.Signals }
  | { do: 'kill' }
  | { do: 'freeze' }
  | { do: 'thaw' };

export type Message =
  | { directory: string }
  | { id: number; error: string }
  | { id: number; pid: number }
  | { exited: true };

interface OwnedProcess {
  child: ChildProcess;
  marker: string;
  end: NodeJS.Signals;
}

const [uid, gid] = process.argv.slice(2).map(Number);
const account = uid === undefined || gid === undefined ? {} : { uid, gid };
const owned = new Set<OwnedProcess>();
let server: OwnedProcess | undefined;
let closing = false;

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);

const directory = await mkdtemp(join(tmpdir(), 'database-server-'));
if (uid !== undefined && gid !== undefined) await chown(directory, uid, gid);

process.on('disconnect', () => void close());
process.on('message', ({ id, order }: { id: number; order: Order }) => {
  carryOut(order).then(
    () => send({ id, pid: server?.child.pid ?? 0 }),
    (error: unknown) => send({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
if (process.connected) send({ directory });
else await close();

function send(message: Message): void {
  if (process.connected) process.send?.(message, () => undefined);
}

async function carryOut(order: Order): Promise<void> {
  switch (order.do) {
    case 'run':
      return run(order.command);
    case 'serve':
      return serve(order.command, order.end);
    case 'stop':
      return stop(running(), order.signal);
    case 'kill':
      return kill(running());
    case 'freeze':
      return freeze(running());
    case 'thaw':
      return thaw(running());
  }
}

function running(): OwnedProcess {
  if (server === undefined) throw new Error('The server does not run.');
  return server;
}

async function start(command: Command, output: number | 'pipe', end: NodeJS.Signals) {
  if (closing) throw new Error('The server is being removed.');
  const marker = randomBytes(16).toString('hex');
  const child = spawn(command.program, command.args, {
    ...account,
    cwd: directory,
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: directory,
      TMPDIR: directory,
      LC_ALL: 'C.UTF-8',
      TZ: 'UTC',
      [treeVariable]: marker,
    },
    detached: true,
    stdio: [command.input === undefined ? 'ignore' : 'pipe', output, output],
  });
  const one: OwnedProcess = { child, marker, end };
  owned.add(one);
  child.once('exit', () => owned.delete(one));
  await once(child, 'spawn').catch((error: unknown) => {
    owned.delete(one);
    throw error;
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(command.input);
  return one;
}

async function run(command: Command): Promise<void> {
  const { child } = await start(command, 'pipe', 'SIGKILL');
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-outputCap);
    });
  }
  await once(child, 'close');
  if (child.exitCode === 0) return;
  throw new Error(`${command.program} ended with ${String(child.exitCode)}:\n${printed}`);
}

async function serve(command: Command, end: NodeJS.Signals): Promise<void> {
  if (server !== undefined) throw new Error('The server runs already.');
  const log = await open(join(directory, 'server.log'), 'a');
  try {
    const started = await start(dyingWithKeeper(command, end), log.fd, end);
    server = started;
    started.child.once('exit', () => {
      if (server === started) server = undefined;
      send({ exited: true });
    });
  } finally {
    await log.close();
  }
}

/** If the keeper itself is killed, Linux at least ends the server. */
function dyingWithKeeper(command: Command, end: NodeJS.Signals): Command {
  if (!existsSync(setpriv)) return command;
  const name = end.replace('SIG', '');
  return { program: setpriv, args: ['--pdeathsig', name, command.program, ...command.args] };
}

async function stop(one: OwnedProcess, name: NodeJS.Signals): Promise<void> {
  signal(pidOf(one), name);
  await ended(one, orderlyEndLimitMs);
  if (server === one) throw new Error('The server did not end in time.');
}

async function kill(one: OwnedProcess): Promise<void> {
  // A stopped leader cannot start new processes while they are listed.
  signal(pidOf(one), 'SIGSTOP');
  const hasEnded = await killTree({ leader: pidOf(one), marker: one.marker }, killLimitMs);
  await ended(one, killLimitMs);
  if (!hasEnded || owned.has(one)) throw new Error('The server could not be killed.');
}

async function freeze(one: OwnedProcess): Promise<void> {
  signal(pidOf(one), 'SIGSTOP');
  // After it has stopped, no further children appear.
  await isStopped(pidOf(one));
  for (const pid of await childrenOf(pidOf(one))) signal(pid, 'SIGSTOP');
}

async function thaw(one: OwnedProcess): Promise<void> {
  for (const pid of [...(await childrenOf(pidOf(one))), pidOf(one)]) signal(pid, 'SIGCONT');
}

/**
 * PostgreSQL puts each of its processes in its own session, so a process group does not contain
 * them.
 */
async function childrenOf(pid: number): Promise<number[]> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => '');
    return text.split(' ').filter(Boolean).map(Number);
  }
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

async function isStopped(pid: number): Promise<void> {
  const untilMs = performance.now() + stoppedLimitMs;
  while (process.platform === 'linux' && performance.now() < untilMs) {
    const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ') T');
    if (/\) T/.test(text)) return;
    await delay(2);
  }
}

async function ended(one: OwnedProcess, limitMs: number): Promise<void> {
  if (!owned.has(one)) return;
  const limit = AbortSignal.timeout(limitMs);
  await once(one.child, 'exit', { signal: limit }).catch(() => undefined);
}

async function close(): Promise<void> {
  closing = true;
  for (const one of owned) {
    await thaw(one);
    signal(pidOf(one), one.end);
    await ended(one, quickEndLimitMs);
    await killTree({ leader: pidOf(one), marker: one.marker }, killLimitMs);
  }
  await removeSharedMemory();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  process.exit();
}

/**
 * A killed PostgreSQL leaves a shared memory segment, which would stay until the machine restarts.
 */
async function removeSharedMemory(): Promise<void> {
  const text = await readFile(join(directory, 'data', 'postmaster.pid'), 'latin1').catch(() => '');
  const segment = /^\s*\d+\s+(\d+)\s*$/.exec(text.split('\n')[6] ?? '')?.[1];
  if (segment === undefined) return;
  await promisify(execFile)('ipcrm', ['-m', segment]).catch(() => undefined);
}

function pidOf(one: OwnedProcess): number {
  return one.child.pid ?? 0;
}
