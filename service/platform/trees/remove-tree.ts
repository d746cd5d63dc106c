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

/** Entries listed per folder at a time, so that a million of them need no memory. */
const foldersAtOnce = 10_000;
/** Node has four threads for file access; more deletions would block other requests. */
const unlinksAtOnce = 4;
const ownerPermissions = 0o700;

/**
 * Deletes a tree of any depth, with names that are not valid text and folders without permissions.
 * No link is followed, even if one is inserted meanwhile; mounted disks stay. A missing path is no
 * error. After a rejection, another call deletes the rest.
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
  /** Folders to empty, each below an earlier one or moved to the root. */
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
      // Some systems report an unreadable folder as one that cannot be removed.
      else if ((await this.clear(folder)) === 0) throw refusal;
    }
  }

  /** Deletes the files in a folder and lists its folders. Returns the number of entries. */
  private async clear(folder: Buffer): Promise<number> {
    const handle = await openFolder(folder);
    try {
      const { dev, mode } = await handle.stat();
      if (dev !== this.device) throw new Error('Another disk is mounted there.');
      if ((mode & ownerPermissions) !== ownerPermissions)
        await handle.chmod((mode & 0o777) | ownerPermissions);
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
        if (entry.isDirectory()) await this.queueFolder(below(own, name), below(folder, name));
        else await queueUnlink(below(own, name), unlinking);
        // The remaining ones are listed once these are deleted.
        if (found >= foldersAtOnce && entry.isDirectory()) break;
      }
    } finally {
      await Promise.all(unlinking);
    }
    return found;
  }

  /** A folder with a long path is moved up, so that depth is not limited. */
  private async queueFolder(own: Buffer, path: Buffer): Promise<void> {
    if (path.length <= longPathBytes) {
      this.folders.push(path);
      return;
    }
    const moved = below(this.root, Buffer.from(`moved-up-${randomUUID()}`));
    // Moving a folder requires write permission for its owner.
    await rename(own, moved).catch(async (error: unknown) => {
      if (!isRefused(error)) throw error;
      await chmod(own, ownerPermissions);
      await rename(own, moved);
    });
    this.folders.push(moved);
  }
}

const listing = { encoding: 'buffer', bufferSize: 1_024 } as unknown as { bufferSize: number };

const isRefused = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(codeOf(error) ?? '');

async function queueUnlink(path: Buffer, running: Set<Promise<void>>): Promise<void> {
  const one: Promise<void> = unlink(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  running.add(one);
  // A failed deletion stays in the set and is reported to the next one that waits.
  one.then(
    () => running.delete(one),
    () => undefined,
  );
  if (running.size >= unlinksAtOnce) await Promise.race(running);
}

/** Opens the folder and checks its real path: on Linux the kernel reports what was opened. */
async function openFolder(folder: Buffer): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const opening = (): Promise<FileHandle> => open(folder, flags);
  const handle = await opening().catch(async (error: unknown) => {
    if (!isRefused(error)) throw error;
    await chmod(folder, ownerPermissions);
    return opening();
  });
  const lies = await readlink(`/proc/self/fd/${handle.fd}`, 'buffer').catch(() => null);
  if (lies === null || lies.equals(folder)) return handle;
  await handle.close();
  throw new Error('A folder was exchanged while it was deleted.');
}

const ownPath = ({ fd }: FileHandle, folder: Buffer): Buffer =>
  process.platform === 'linux' ? Buffer.from(`/proc/self/fd/${fd}`) : folder;

/** Deletes a tree that the next start would delete in any case; failures are ignored. */
export const discardTree = (path: string, signal?: AbortSignal): Promise<void> =>
  removeTree(path, signal).catch(() => undefined);
