import { chmod, lstat, rename } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../../../platform/archives/archive-problems.ts';
import { type TreeVisitor, walkTree } from '../../../platform/trees/walk-tree.ts';

const ownerMayAll = 0o700;
/** Virus scanners on Windows lock new files for a moment, during which a rename fails. */
const transient = new Set(['EPERM', 'EACCES', 'EBUSY']);
const renameAttempts = 10;
const renamePauseMs = 200;

/** Renames with retries for up to two seconds, because a virus scanner may lock the files. */
export async function renamePatiently(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const passing = transient.has(codeOf(error) ?? '');
      if (process.platform !== 'win32' || !passing || attempt === renameAttempts) throw error;
    }
    await delay(renamePauseMs);
  }
}

/** Returns false if there is nothing at `from`. */
export async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await renamePatiently(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Throws, before anything has changed, if something in `directory` cannot be deleted: it is
 * protected, has another owner, or is on another disk. Detects this by setting the existing modes
 * again. Directories that were closed to their owner are opened.
 */
export async function makeDeletable(directory: string, signal?: AbortSignal): Promise<void> {
  const root = await lstat(directory).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!root?.isDirectory()) return;
  const visitor: TreeVisitor = {
    async folder(path) {
      const { dev, mode } = await lstat(path);
      if (dev !== root.dev) throw new Error('Another disk is mounted there.');
      await chmod(path, (mode & 0o7777) | ownerMayAll);
    },
    async entry(path, kind) {
      if (kind.isFile()) await chmod(path, (await lstat(path)).mode & 0o7777);
    },
  };
  await walkTree(directory, visitor, signal);
}
