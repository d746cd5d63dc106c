import { codeOf } from '../archives/archive-problems.ts';
import { randomUUID } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import {
  chmod,
  type FileHandle,
  lstat,
  open,
  opendir,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { below, longPathBytes } from './byte-paths.ts';

/** Of one folder at a time, so that a million of them need no memory. */
const foldersAtOnce = 10_000;
/** The system has four threads for files; more would keep them from the others. */
const unlinksAtOnce = 4;
const ownerMayAll = 0o700;

/**
 * Deletes whatever others made at `path`: of any depth, with names that are no text, with folders that
 * nobody may read. No link is followed, also where somebody puts one in the way meanwhile; another disk
 * that is mounted there stays. Nothing there is no error. What was not deleted when it rejects can be
 * deleted by another call.
 */
export async function removeTree(path: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (process.platform === 'win32')
    return rm(path, { recursive: true, force: true, maxRetries: 3 });
  const info = await lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (info === null) return;
  if (!info.isDirectory()) return unlink(path);
  const root = Buffer.from(join(await realpath(dirname(path)), basename(path)));
  await new Removal(root, info.dev, signal).run();
}

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';
class Removal {
  private readonly root: Buffer;
  private readonly device: number;
  private readonly signal: AbortSignal | undefined;
  /** What is emptied, each below those before it or moved to the root. */
  private readonly folders: Buffer[];

  constructor(root: Buffer, device: number, signal?: AbortSignal) {
    this.root = root;
    this.device = device;
    this.signal = signal;
    this.folders = [root];
  }

  async run(): Promise<void> {
    for (let folder = this.folders.at(-1); folder; folder = this.folders.at(-1)) {
      this.signal?.throwIfAborted();
      const refusal = await rmdir(folder).then(
        () => null,
        (error: unknown) => error as Error,
      );
      if (refusal === null || isMissing(refusal)) this.folders.pop();
      // Some systems say at a folder that may not be read that it may not be removed.
      else if ((await this.clear(folder)) === 0) throw refusal;
    }
  }

  /** Deletes the files in a folder and lists its folders. How much there was. */
  private async clear(folder: Buffer): Promise<number> {
    const handle = await openFolder(folder);
    try {
      const { dev, mode } = await handle.stat();
      if (dev !== this.device) throw new Error('Another disk is mounted there.');
      if ((mode & ownerMayAll) !== ownerMayAll) await handle.chmod((mode & 0o777) | ownerMayAll);
      return await this.clearOpened(handle, folder);
    } finally {
      await handle.close();
    }
  }

  private async clearOpened(handle: FileHandle, folder: Buffer): Promise<number> {
    const own = ownPath(handle, folder);
    const unlinking = new Set<Promise<void>>();
    let found = 0;
    try {
      for await (const entry of await opendir(own, listing)) {
        this.signal?.throwIfAborted();
        found += 1;
        const { name } = entry as unknown as Dirent<Buffer>;
        if (entry.isDirectory()) await this.take(below(own, name), below(folder, name));
        else await unlinkSoon(below(own, name), unlinking);
        // The rest is listed once these are gone.
        if (found >= foldersAtOnce && entry.isDirectory()) break;
      }
    } finally {
      await Promise.all(unlinking);
    }
    return found;
  }

  /** A folder whose path grows long is moved up, so that depth has no limit. */
  private async take(own: Buffer, path: Buffer): Promise<void> {
    if (path.length <= longPathBytes) {
      this.folders.push(path);
      return;
    }
    const moved = below(this.root, Buffer.from(`moved-up-${randomUUID()}`));
    // To be moved its owner must be allowed to write to it.
    await rename(own, moved).catch(async (error: unknown) => {
      if (!isRefused(error)) throw error;
      await chmod(own, ownerMayAll);
      await rename(own, moved);
    });
    this.folders.push(moved);
  }
}

const listing = { encoding: 'buffer', bufferSize: 1_024 } as unknown as { bufferSize: number };

const isRefused = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(codeOf(error) ?? '');

async function unlinkSoon(path: Buffer, running: Set<Promise<void>>): Promise<void> {
  const one: Promise<void> = unlink(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  running.add(one);
  // One that has failed stays, and is met by whoever waits next.
  one.then(
    () => running.delete(one),
    () => undefined,
  );
  if (running.size >= unlinksAtOnce) await Promise.race(running);
}

/** Opened where it really lies: on Linux the kernel tells what was opened. */
async function openFolder(folder: Buffer): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const opening = (): Promise<FileHandle> => open(folder, flags);
  const handle = await opening().catch(async (error: unknown) => {
    if (!isRefused(error)) throw error;
    await chmod(folder, ownerMayAll);
    return opening();
  });
  const lies = await readlink(`/proc/self/fd/${handle.fd}`, 'buffer').catch(() => null);
  if (lies === null || lies.equals(folder)) return handle;
  await handle.close();
  throw new Error('A folder was exchanged while it was deleted.');
}

const ownPath = ({ fd }: FileHandle, folder: Buffer): Buffer =>
  process.platform === 'linux' ? Buffer.from(`/proc/self/fd/${fd}`) : folder;

/** For what the next start sweeps in any case: what cannot be deleted now stays until then. */
export const discardTree = (path: string, signal?: AbortSignal): Promise<void> =>
  removeTree(path, signal).catch(() => undefined);
