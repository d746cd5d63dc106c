import { randomBytes } from 'node:crypto';
import { open, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { HostError } from '../../core/host-error.ts';
import { type Message, msg } from '../../messages/index.ts';
import { ensureFolder, isFolder } from '../ensure-folder.ts';
import { connectionFailed } from './connection-failed.ts';

/**
 * Resolves with true if the database file exists. @throws HostError `connection_failed` if it is
 * not a file or cannot be checked
 */
export async function isDatabaseThere(path: string): Promise<boolean> {
  const info = await stat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw explainFolder(error);
  });
  if (info?.isDirectory()) throw connectionFailed(msg('database.fileIsFolder'));
  if (info && !info.isFile()) throw connectionFailed(msg('database.fileIsDevice'));
  return info !== null;
}

/** @throws HostError `connection_failed` if the folder cannot be created or is not writable */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await ensureFolder(folder);
    await probe(folder);
  } catch (error) {
    throw explainFolder(error);
  }
}

/**
 * Runs `attempt` in the folder of a database file as if the file were created there, then removes
 * the folders that were created for it. @throws HostError as `makeFolder`
 */
export async function inTrialFolder<T>(folder: string, attempt: () => Promise<T>): Promise<T> {
  const missing = await missingFolders(folder);
  try {
    await makeFolder(folder);
    return await attempt();
  } finally {
    for (const path of missing) await removeEmpty(path);
  }
}

/** A name of the same length, for a test file next to the real one. */
export function trialName(path: string): string {
  const name = basename(path);
  const random = randomBytes(Math.max(8, name.length)).toString('hex');
  return join(dirname(path), random.slice(0, Math.max(8, name.length)));
}

/** Innermost first. */
async function missingFolders(folder: string): Promise<string[]> {
  if (dirname(folder) === folder || (await isFolder(folder))) return [];
  return [folder, ...(await missingFolders(dirname(folder)))];
}

/** Folders that existed before or are used by now are kept. */
async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EACCES', 'EPERM'].includes(code))
      throw error;
  });
}

/**
 * Checking permissions is not sufficient: a disk may be read-only, and system folders may refuse
 * files.
 */
async function probe(folder: string): Promise<void> {
  const file = join(folder, `.${randomBytes(8).toString('hex')}`);
  const handle = await open(file, 'wx', 0o600);
  await handle.close();
  await rm(file, { force: true });
}

/** Error for a folder that cannot contain a database file. */
export function explainFolder(error: unknown): HostError {
  const { code } = error as { code?: string };
  const reasons: Record<string, Message> = {
    EACCES: msg('database.folderNotWritable'),
    EPERM: msg('database.folderNotWritable'),
    ENOENT: msg('database.folderNotMade'),
    EEXIST: msg('database.folderIsNone'),
    ENOTDIR: msg('database.folderIsNone'),
    ELOOP: msg('database.fileLinkCycle'),
    EROFS: msg('database.folderReadOnly'),
    ENAMETOOLONG: msg('database.filePathTooLong'),
    EIO: msg('database.diskErrors'),
    ENOSPC: msg('disk.full'),
  };
  const text =
    code === undefined
      ? msg('database.folderUnusable')
      : (reasons[code] ?? msg('database.folderUnusableBecause', { code }));
  return connectionFailed(text, error);
}
