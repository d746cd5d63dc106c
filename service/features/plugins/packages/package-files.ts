import { chmod, lstat, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../../../platform/archives/archive-problems.ts';

const fileMode = 0o644;
const programMode = 0o755;
const directoryMode = 0o755;
/** On Windows a virus scanner holds fresh files for a moment, and a rename fails meanwhile. */
const transient = new Set(['EPERM', 'EACCES', 'EBUSY']);
const renameAttempts = 10;
const renamePauseMs = 200;

/** The mode that a file was unpacked with; scripts of plugins stay executable. */
const modeOf = ({ mode }: { mode: number }): number => (mode & 0o100 ? programMode : fileMode);

/** A rename that outlasts a virus scanner, for up to two seconds. */
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

/** False: there was nothing at `from`. */
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
 * Throws while nothing has changed yet when something in `directory` cannot be deleted: it is
 * protected, belongs to somebody else, or is another disk. Setting the modes that files of a package
 * have anyway is what finds out, and repairs directories that were made read-only.
 */
export async function makeDeletable(directory: string): Promise<void> {
  const root = await lstat(directory).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  const waiting = root?.isDirectory() ? [directory] : [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    await chmod(path, directoryMode);
    if ((await lstat(path)).dev !== root?.dev) throw new Error('Another disk is mounted there.');
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const inside = join(path, entry.name);
      if (entry.isDirectory()) waiting.push(inside);
      else if (entry.isFile()) await chmod(inside, modeOf(await lstat(inside)));
    }
  }
}
