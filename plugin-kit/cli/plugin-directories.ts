import { access, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UsageError } from './command.ts';

/**
 * Returns the plugin directories for the arguments of a command: each folder with a
 * `manifest.json`, and for any other folder its subfolders that have one. Default: the current
 * folder.
 * @throws UsageError for a path that is not a folder or contains no plugin
 */
export async function pluginDirectories(named: readonly string[]): Promise<string[]> {
  const folders = named.length === 0 ? ['.'] : named;
  return (await Promise.all(folders.map(pluginsIn))).flat();
}

/**
 * Returns the single plugin directory.
 * @throws UsageError if there are several
 */
export async function onlyPlugin(named: readonly string[]): Promise<string> {
  const [directory, second] = await pluginDirectories(named);
  if (directory === undefined || second !== undefined)
    throw new UsageError('There are several plugins in that folder. Name one.');
  return directory;
}

async function pluginsIn(folder: string): Promise<string[]> {
  const directory = resolve(folder);
  if (await isPlugin(directory)) return [directory];
  const info = await stat(directory).catch(() => null);
  if (info === null) throw new UsageError(`There is no folder ${folder}.`);
  if (!info.isDirectory())
    throw new UsageError(
      `${folder} is a file. Name the folder of a plugin, which has a manifest.json.`,
    );
  const entries = await readdir(directory, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const inner = join(directory, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules' && (await isPlugin(inner)))
      found.push(inner);
  }
  if (found.length > 0) return found.sort();
  throw new UsageError(
    `${folder} has no manifest.json, and no folder in it has one. plugin-host-plugin init makes a plugin.`,
  );
}

function isPlugin(directory: string): Promise<boolean> {
  return access(join(directory, 'manifest.json')).then(
    () => true,
    () => false,
  );
}
