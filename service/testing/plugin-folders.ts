import { readdir } from 'node:fs/promises';

/** Returns the names of the packages in a folder of plugins, without the list beside them. */
export async function pluginFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
