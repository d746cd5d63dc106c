import { bundleModule } from '../bundle/bundle-modules.ts';
import { readPluginSource } from '../plugin-source.ts';

/** Below the host's limit of 8 MiB. */
const maxCharacters = 6 * 1024 * 1024;

/** Returns the source maps of the plugin's bundles by their path in the package. */
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
