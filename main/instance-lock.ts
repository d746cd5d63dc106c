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

/** The process that holds a working directory, as its lock file names it; `port` is null until it listens. */
export interface Holder {
  pid: number;
  /** Tells a process from a later one of the same id; null where the system does not say. */
  startedAt: string | null;
  port: number | null;
}

/** The lock of a working directory; one process holds it until it releases it or ends. */
export interface InstanceLock {
  /** Written into the lock, so that a second start can name it. */
  setPort(port: number): Promise<void>;
  release(): Promise<void>;
}

const maxTries = 100;
const pauseMs = 20;

const lockFile = (hostDirectory: string): string => join(hostDirectory, 'host.lock');

/** Takes the lock of a working directory. Throws `LockedError` while its holder lives; a stale lock is taken over. */
export async function takeLock(hostDirectory: string): Promise<InstanceLock> {
  const file = lockFile(hostDirectory);
  const me: Holder = { pid: process.pid, startedAt: await startOf(process.pid), port: null };
  await takeFile(file, me);
  return lockOf(file, me);
}

/** The host that holds the lock of a working directory; null when none does. Changes nothing. */
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
 * Several starters may find the same stale lock. Only who holds the lock named after its content may
 * replace it, and only while that is still its content; so a fresh lock is never lost, nor the file
 * away for a moment.
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

/** A link appears with its content or not at all. */
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

/** Null when there is no such file. */
async function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}

/** Null for what no host has written. */
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
  // Killed, but its parent has not taken note of it: a container may never do so.
  const state = await statField(pid, 0);
  if (state === 'Z' || state === 'X') return false;
  return startedAt === null || startedAt === (await startOf(pid));
}

function startOf(pid: number): Promise<string | null> {
  const startTimeField = 19;
  return statField(pid, startTimeField);
}

/** A field of /proc/<pid>/stat, counted behind the name, which may hold anything. */
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
