import { languageServerFile, languageServersIn, mergedServers } from './language-servers-in.ts';
import { readJson } from './read-json.ts';
import { startReading } from './plugin-reading.ts';
import { manifestIn, manifestPaths } from './read-plugin-manifest.ts';

/** Names of the language servers declared in the files of a plugin. */
export async function readLanguageServers(directory: string): Promise<string[]> {
  const reading = await startReading(directory);
  const inFile = languageServersIn(await readJson(reading, languageServerFile));
  for (const path of manifestPaths) {
    const manifest = manifestIn(path, await readJson(reading, path));
    if (manifest !== null) return mergedServers(manifest.languageServers, inFile);
  }
  return inFile;
}
