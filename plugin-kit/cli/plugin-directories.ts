import { access, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UsageError } from './command.ts';

/**
 * The plugins that a command is about: each folder with a `manifest.json`, and of any other folder those
 * in it that have one. Without a name: the current folder.
 * @throws UsageError for a folder that is none, or has no plugin in it
 */
export async function pluginDirectories(named: readonly string[]): Promise<string[]> {
  const folders = named.length === 0 ? ['.'] : named;
  return (await Promise.all(folders.map(pluginsIn))).flat();
}

/** The one plugin that a command is about. @throws UsageError where there are several */
export async function onlyPlugin(named: readonly string[]): Promise<string> {
  const [directory, second] = await pluginDirectories(named);
  if (directory === undefined || second !== undefined)
    throw new UsageError('There are several plugins in that folder. Name one.');
  return directory;
}

async function pluginsIn(folder: string): Promise<string[]> {
  const directory = resolve(folder);
  if (await isPlugin(directory)) return [directory];
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => {
    throw new UsageError(`There is no folder ${folder}.`);
  });
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
