import { createHash, randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Message, msg, textOf } from '../service/messages/index.ts';

/** Another host runs in this working directory. */
export class LockedError extends Error {
  readonly pid: number;
  readonly port: number | null;
  readonly text: Message;

  constructor({ pid, port }: Holder) {
    const text =
      port === null
        ? msg('workDirectory.inUse', { pid })
        : msg('workDirectory.inUseOnPort', { pid, port });
    super(textOf(text));
    this.text = text;
    this.pid = pid;
    this.port = port;
  }
}

/** The process that holds a lock. */
export interface Holder {
  pid: number;
  /**
   * Start time, which tells the process from a later one with the same id; null if the system does
   * not report it.
   */
  startedAt: string | null;
  port: number | null;
}

/** A lock that this process holds. */
export interface InstanceLock {
  /** Writes the port into the lock, so that a second start can name it. */
  setPort(port: number): Promise<void>;
  release(): Promise<void>;
}

const maxTries = 100;
const pauseMs = 20;

const lockFile = (hostDirectory: string): string => join(hostDirectory, 'host.lock');

/**
 * Takes the lock of a working directory, replacing a stale one.
 * @throws LockedError while its holder lives
 */
export async function takeLock(hostDirectory: string): Promise<InstanceLock> {
  const file = lockFile(hostDirectory);
  const me: Holder = { pid: process.pid, startedAt: await startOf(process.pid), port: null };
  await takeFile(file, me);
  return lockOf(file, me);
}

/**
 * Returns the host that holds the lock of a working directory; null if none does. Changes nothing.
 */
export async function findHolder(hostDirectory: string): Promise<Holder | null> {
  const holder = holderIn(await readText(lockFile(hostDirectory)));
  return holder && (await isAlive(holder)) ? holder : null;
}

async function takeFile(file: string, me: Holder): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (await create(file, me)) return;
    const text = await readText(file);
    const holder = holderIn(text);
    if (holder && (await isAlive(holder))) throw new LockedError(holder);
    if (text !== null && (await takeOver(file, text, me))) return;
    await wait(pauseMs);
  }
  throw new Error(
    'The lock of the working directory cannot be taken. Delete .host/host.lock and try again.',
  );
}

/**
 * Several starts may find the same stale lock. Only the one that holds a second lock, named after
 * the stale content, may replace it, and only if that content is unchanged. A fresh lock is never
 * lost this way, and the file is never absent.
 */
async function takeOver(file: string, stale: string, me: Holder): Promise<boolean> {
  const claim = `${file}.${createHash('sha256').update(stale).digest('hex').slice(0, 16)}`;
  try {
    await takeFile(claim, me);
  } catch (error) {
    if (error instanceof LockedError) return false;
    throw error;
  }
  try {
    if ((await readText(file)) !== stale) return false;
    await replace(file, me);
    return true;
  } finally {
    await rm(claim, { force: true });
  }
}

/** Creates the file by a link, so that it never exists without its content. */
async function create(file: string, me: Holder): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(me), { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function replace(file: string, me: Holder): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(me), { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
}

/** Null if there is no such file. */
async function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}

/** Null if no host wrote the text. */
function holderIn(text: string | null): Holder | null {
  try {
    const holder = JSON.parse(text ?? '') as Holder;
    return Number.isSafeInteger(holder.pid) && holder.pid > 0 ? holder : null;
  } catch {
    return null;
  }
}

async function isAlive({ pid, startedAt }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // A killed process whose parent has not reaped it; in a container this may never happen.
  const state = await statField(pid, 0);
  if (state === 'Z' || state === 'X') return false;
  return startedAt === null || startedAt === (await startOf(pid));
}

function startOf(pid: number): Promise<string | null> {
  const startTimeField = 19;
  return statField(pid, startTimeField);
}

/**
 * Returns a field of /proc/<pid>/stat, counted after the name, which may contain spaces and
 * parentheses.
 */
async function statField(pid: number, index: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[index] ?? null;
  } catch {
    return null;
  }
}

function lockOf(file: string, me: Holder): InstanceLock {
  return {
    async setPort(port) {
      me.port = port;
      await replace(file, me);
    },
    async release() {
      const holder = holderIn(await readText(file));
      if (holder?.pid === me.pid) await rm(file, { force: true });
    },
  };
}
