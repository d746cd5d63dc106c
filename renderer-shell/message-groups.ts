import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** Must not end in `.json`, or the bundler would parse it. */
const prefix = '\0message-groups:';

/**
 * Resolves `<language>.json?groups=a,b&shell` to only these groups of the shell's texts, so that
 * each screen loads the texts that it shows although one file contains them all; `&service` instead
 * of `&shell` selects the service's texts. `languages.ts?names&shell` resolves to the native name
 * of each language.
 */
export function messageGroups(): Plugin {
  return {
    name: 'message-groups',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source.startsWith(prefix)) return source;
      const [file = '', query = ''] = source.split('?');
      if (importer === undefined || !/&(?:shell|service)$/.test(query)) return null;
      // The bundler treats a name with a file extension as a file of that type.
      const path = resolve(dirname(importer), file).replace(/\.(?:json|ts)$/, '');
      return `${prefix}${path}?${query}`;
    },
    async load(id) {
      if (!id.startsWith(prefix)) return null;
      const [path = '', query = ''] = id.slice(prefix.length).split('?');
      const asked = new URLSearchParams(query);
      const watch = (file: string): void => this.addWatchFile(file);
      const texts = asked.has('names')
        ? await languageNames(dirname(path), watch)
        : await textsOf(`${path}.json`, asked, watch);
      return `export const texts = ${JSON.stringify(texts)};`;
    },
  };
}

interface CatalogFile {
  shell: Record<string, object>;
  service: Record<string, string>;
}

async function readCatalog(file: string, watch: (file: string) => void): Promise<CatalogFile> {
  watch(file);
  return JSON.parse(await readFile(file, 'utf8')) as CatalogFile;
}

async function textsOf(
  file: string,
  asked: URLSearchParams,
  watch: (file: string) => void,
): Promise<object> {
  const { shell, service } = await readCatalog(file, watch);
  const groups = (asked.get('groups') ?? '').split(',');
  const codes = Object.keys(service);
  const ofGroup = (group: string): string[] => codes.filter((one) => one.startsWith(`${group}.`));
  const isService = asked.has('service');
  const missing = groups.filter((group) =>
    isService ? ofGroup(group).length === 0 : !Object.hasOwn(shell, group),
  );
  if (missing.length > 0) throw new Error(`${file} has no texts ${missing.join(', ')}`);
  return isService
    ? Object.fromEntries(groups.flatMap(ofGroup).map((code) => [code, service[code]]))
    : Object.fromEntries(groups.map((group) => [group, shell[group]]));
}

async function languageNames(folder: string, watch: (file: string) => void): Promise<object> {
  const files = (await readdir(folder)).filter((file) => /^[a-z]{2,3}(?:-\w+)*\.json$/.test(file));
  const names = files.map(async (file) => {
    const { shell } = await readCatalog(join(folder, file), watch);
    return [basename(file, '.json'), (shell['language'] as { name: string }).name];
  });
  return Object.fromEntries(await Promise.all(names)) as object;
}
