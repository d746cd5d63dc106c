import { lstat, mkdir, rename, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { HostPaths } from '../../platform/paths.ts';
import { discardTree } from '../../platform/trees/remove-tree.ts';
import { entryPaths } from './backup-format.ts';

/** Directory of a restore in progress; it is renamed to `restoredFolder` when complete. */
export const restoringFolder = ({ host }: HostPaths): string => join(host, 'restoring');
export const restoredFolder = ({ host }: HostPaths): string => join(host, 'restored');

/**
 * Runs at every start, before anything else: removes a restore that was interrupted while
 * unpacking, and moves a complete one into place.
 */
export async function finishRestore(paths: HostPaths): Promise<void> {
  await discardTree(restoringFolder(paths));
  const restored = restoredFolder(paths);
  const folders = {
    database: paths.database,
    plugins: paths.plugins,
    pluginData: paths.pluginData,
    pluginConfig: paths.pluginConfig,
  };
  for (const [part, target] of Object.entries(folders))
    await move(join(restored, entryPaths[part as keyof typeof folders]), target);
  // Last, since this file makes the directory an installation.
  await move(join(restored, entryPaths.dataSource), paths.dataSource);
  await discardTree(restored);
}

/** Replaces an empty folder. A missing source was moved earlier. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EPERM' && code !== 'EEXIST') throw error;
    if (!(await isThere(from))) return;
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await rmdir(to).catch(() => undefined);
    await rename(from, to);
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}
