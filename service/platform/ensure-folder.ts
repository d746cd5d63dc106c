import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the folder, for the owner alone, and what is missing above it. For paths that a person chose:
 * Node's own `recursive` never ends where a folder that is there takes no other, as in /proc.
 */
export async function ensureFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  if (dirname(folder) !== folder) await ensureFolder(dirname(folder));
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    // Unless somebody else was quicker.
    if (!(await isFolder(folder))) throw error;
  }
}

export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}
