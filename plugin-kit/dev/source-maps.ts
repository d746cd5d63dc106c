import { bundleModule } from '../bundle/bundle-modules.ts';
import { readPluginSource } from '../plugin-source.ts';

/** A host takes 8 MiB. */
const maxCharacters = 6 * 1024 * 1024;

/** Source maps of the bundles in the package of a plugin, by their path in it. */
export async function sourceMapsOf(directory: string): Promise<Record<string, string>> {
  const { bundles } = await readPluginSource(directory);
  const maps: Record<string, string> = {};
  let characters = 0;
  for (const bundle of bundles) {
    const { path, map } = await bundleModule({ ...bundle, directory, withMap: true });
    if (map === undefined || characters + map.length > maxCharacters) continue;
    characters += map.length;
    maps[path] = map;
  }
  return maps;
}
