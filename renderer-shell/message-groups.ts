import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** Not ending in `.json`, which the bundler would read by itself. */
const prefix = '\0message-groups:';

/**
 * Reads `<language>.json?groups=a,b&shell` as these groups of the shell's texts alone, so that a
 * screen brings the texts that it shows, and one file holds them all.
 */
export function messageGroups(): Plugin {
  return {
    name: 'message-groups',
    enforce: 'pre',
    resolveId(source, importer) {
      const [file = '', query = ''] = source.split('?');
      if (importer === undefined || !query.endsWith('&shell')) return null;
      const path = resolve(dirname(importer), file).replace(/\.json$/, '');
      return `${prefix}${path}?${query}`;
    },
    async load(id) {
      if (!id.startsWith(prefix)) return null;
      const [path = '', query] = id.slice(prefix.length).split('?');
      const file = `${path}.json`;
      this.addWatchFile(file);
      const { shell } = JSON.parse(await readFile(file, 'utf8')) as {
        shell: Record<string, object>;
      };
      const names = (new URLSearchParams(query).get('groups') ?? '').split(',');
      const missing = names.filter((name) => !Object.hasOwn(shell, name));
      if (missing.length > 0) throw new Error(`${file} has no texts ${missing.join(', ')}`);
      const texts = Object.fromEntries(names.map((name) => [name, shell[name]]));
      return `export const texts = ${JSON.stringify(texts)};`;
    },
  };
}
