import { languageServersIn } from './language-servers-in.ts';
import { readJson } from './read-json.ts';
import { beginReading } from './plugin-reading.ts';
import { manifestIn, manifestPaths } from './read-plugin-manifest.ts';

/** The file beside the manifest that may hold them. */
export const languageServerFile = '.lsp.json';

/** Those of the files of a plugin. */
export async function readLanguageServers(directory: string): Promise<string[]> {
  const reading = await beginReading(directory);
  const inFile = languageServersIn(await readJson(reading, languageServerFile));
  for (const path of manifestPaths) {
    const manifest = manifestIn(path, await readJson(reading, path));
    if (manifest === null) continue;
    const named = manifest.languageServers.filter((name) => !name.endsWith(languageServerFile));
    return [...new Set([...named, ...inFile])];
  }
  return inFile;
}
