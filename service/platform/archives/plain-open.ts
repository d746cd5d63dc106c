import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './archive-problems.ts';

/** Codes of `open` that speak of this one file: it went, turned into something else, or is not ours. */
const passing = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'EACCES',
  'EPERM',
  'EBUSY',
  'ELOOP',
  'ENXIO',
  'EINVAL',
  'ENAMETOOLONG',
]);

/** Neither a link at the end of `path` is followed nor a named pipe waited for. Null where that fails. */
export async function openFile(path: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  return open(path, flags).catch((error: unknown) => {
    if (passing.has(codeOf(error) ?? '')) return null;
    throw error;
  });
}

/**
 * Opens the file at `path`, which holds no link as the host knows it, and gives it only if it really
 * lies there: whoever may write to a folder on the way can put a link in its place at any moment.
 */
export async function openPlainFile(path: string): Promise<FileHandle | null> {
  const handle = await openFile(path);
  if (handle === null) return null;
  if ((await handle.stat()).isFile() && (await liesAt(handle, path))) return handle;
  await handle.close();
  return null;
}

/** The file at `segments` below `root`; links on the way to `root` are followed, those below it are not. */
export async function openBelow(root: string, segments: string[]): Promise<FileHandle | null> {
  const real = await realpath(root).catch(() => null);
  return real === null ? null : openPlainFile(join(real, ...segments));
}

/** The same for a folder; what `open` says against it is thrown. Null where a link is on the way. */
export async function openPlainFolder(path: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY;
  const handle = await open(path, flags).catch((error: unknown) => {
    if (['ELOOP', 'ENOTDIR'].includes(codeOf(error) ?? '')) return null;
    throw error;
  });
  if (handle === null || (await liesAt(handle, path))) return handle;
  await handle.close();
  return null;
}

/** On Linux the kernel tells where the opened one lies, whatever is put at its path meanwhile. */
async function liesAt(handle: FileHandle, path: string): Promise<boolean> {
  const linkTarget = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => null);
  if (linkTarget !== null) return linkTarget === path;
  const opened = await handle.stat({ bigint: true });
  const real = await realpath(path).catch(() => null);
  const there = await lstat(path, { bigint: true }).catch(() => null);
  return real === path && there?.ino === opened.ino && there.dev === opened.dev;
}
