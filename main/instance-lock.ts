import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Another host runs in this working directory. */
export class LockedError extends Error {
  readonly pid: number;
  readonly port: number | null;

  constructor(holder: Holder) {
    const where = holder.port === null ? '' : ` on port ${holder.port}`;
    super(`A host runs in this working directory already: process ${holder.pid}${where}.`);
    this.pid = holder.pid;
    this.port = holder.port;
  }
}

interface Holder {
  pid: number;
  /** Tells a process from a later one of the same id; null where the system does not say. */
  startedAt: string | null;
  port: number | null;
}

export interface InstanceLock {
  /** Written into the lock, so that a second start can name it. */
  setPort(port: number): Promise<void>;
  release(): Promise<void>;
}

const maxTries = 5;

/** Takes the lock of a working directory. Throws `LockedError` while its holder lives; a stale lock is taken over. */
export async function takeLock(hostDirectory: string): Promise<InstanceLock> {
  const file = join(hostDirectory, 'host.lock');
  const me: Holder = { pid: process.pid, startedAt: await startOf(process.pid), port: null };
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (await create(file, me)) return lockOf(file, me);
    const holder = await readHolder(file);
    if (holder && (await isAlive(holder))) throw new LockedError(holder);
    await removeStale(file, holder);
  }
  throw new Error(
    'The lock of the working directory cannot be taken. Delete .host/host.lock and try again.',
  );
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

/** Moved aside first: of two starters only one gets it, and a lock that turns out fresh is put back. */
async function removeStale(file: string, stale: Holder | null): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  const taken = await readHolder(aside);
  if (JSON.stringify(taken) !== JSON.stringify(stale))
    await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

async function readHolder(file: string): Promise<Holder | null> {
  try {
    const holder = JSON.parse(await readFile(file, 'utf8')) as Holder;
    return Number.isSafeInteger(holder.pid) && holder.pid > 0 ? holder : null;
  } catch {
    return null;
  }
}

async function isAlive(holder: Holder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return holder.startedAt === null || holder.startedAt === (await startOf(holder.pid));
}

const startTimeField = 19;

/** Start time from /proc/<pid>/stat (field 22), counted behind the name, which may hold anything. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[startTimeField] ?? null;
  } catch {
    return null;
  }
}

function lockOf(file: string, me: Holder): InstanceLock {
  return {
    async setPort(port) {
      me.port = port;
      const draft = `${file}.${randomUUID()}`;
      await writeFile(draft, JSON.stringify(me), { mode: 0o600, flag: 'wx' });
      await rename(draft, file);
    },
    async release() {
      const holder = await readHolder(file);
      if (holder?.pid === me.pid) await rm(file, { force: true });
    },
  };
}
