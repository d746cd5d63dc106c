import type { Plugin } from '../plugins/index.ts';
import type { DeclaredParts, PluginContents } from './contents/plugin-contents.ts';
import { readContents } from './contents/read-contents.ts';
import { readPluginManifest } from './contents/read-plugin-manifest.ts';

const fields = ['skills', 'commands', 'agents', 'hooks', 'mcpServers'] as const;

/**
 * Reads the contents of a plugin's directory. If its catalog entry is not strict, the entry
 * replaces the manifest; otherwise its declared parts are added to the plugin's own.
 */
export async function contentsOf({
  directory,
  origin,
}: Pick<Plugin, 'directory' | 'origin'>): Promise<PluginContents> {
  if (origin?.strict === false)
    return readContents(directory, origin.declared, { onlyDeclared: true });
  const { declared, warnings } = await readPluginManifest(directory);
  const both = origin === null ? declared : added(declared, origin.declared);
  const contents = await readContents(directory, both, { onlyDeclared: false });
  return { ...contents, warnings: [...warnings, ...contents.warnings] };
}

function added(one: DeclaredParts, other: DeclaredParts): DeclaredParts {
  const parts = fields.map((field) => {
    const all = [one[field], other[field]].filter((value) => value !== undefined);
    return [field, all.length > 1 ? all.flat() : all[0]];
  });
  return Object.fromEntries(parts) as DeclaredParts;
}
