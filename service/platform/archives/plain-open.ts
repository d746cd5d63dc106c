import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './archive-problems.ts';

/**
 * Error codes of `open` that concern this one file: it vanished, changed its kind, or is not
 * accessible.
 */
const transientCodes = new Set([
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

/**
 * Opens a file without following a link at the end of `path` and without waiting for a named pipe.
 * Null when that fails.
 */
export async function openFile(path: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  return open(path, flags).catch((error: unknown) => {
    if (transientCodes.has(codeOf(error) ?? '')) return null;
    throw error;
  });
}

/**
 * Opens the file at `path`, which contains no link, and returns it only if the opened file is
 * really at that path: anyone with write access to a parent folder can insert a link at any moment.
 */
export async function openPlainFile(path: string): Promise<FileHandle | null> {
  const handle = await openFile(path);
  if (handle === null) return null;
  if ((await handle.stat()).isFile() && (await liesAt(handle, path))) return handle;
  await handle.close();
  return null;
}

/**
 * Opens the file at `segments` below `root`; links above `root` are followed, those below are not.
 */
export async function openBelow(root: string, segments: string[]): Promise<FileHandle | null> {
  const real = await realpath(root).catch(() => null);
  return real === null ? null : openPlainFile(join(real, ...segments));
}

/**
 * Opens a folder in the same way; throws the error of `open`. Null when the path contains a link.
 */
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

/**
 * On Linux, the kernel reports the real path of an open file, even if the path has been replaced.
 */
async function liesAt(handle: FileHandle, path: string): Promise<boolean> {
  const linkTarget = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => null);
  if (linkTarget !== null) return linkTarget === path;
  const opened = await handle.stat({ bigint: true });
  const real = await realpath(path).catch(() => null);
  const current = await lstat(path, { bigint: true }).catch(() => null);
  return real === path && current?.ino === opened.ino && current.dev === opened.dev;
}
