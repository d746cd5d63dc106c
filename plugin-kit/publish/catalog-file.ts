import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { codeOf } from '../../service/platform/archives/archive-problems.ts';
import { isObject } from '../../service/core/is-object.ts';

const catalogName = 'catalog.json';

/** An entry of a catalog. */
export interface CatalogEntry extends Record<string, unknown> {
  id: string;
  version: string;
}

/** A static catalog; its packages lie beside it. */
export interface Catalog {
  file: string;
  directory: string;
  /** The whole content of the file. */
  content: Record<string, unknown>;
  entries: CatalogEntry[];
}

/**
 * Reads the catalog in a folder or the named file; empty if it does not exist yet.
 * @throws Error for a file that is not a catalog
 */
export async function readCatalog(named: string): Promise<Catalog> {
  const path = resolve(named);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => !path.endsWith('.json'),
  );
  const file = isFolder ? join(path, catalogName) : path;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '{"plugins": []}';
    throw error;
  });
  const content = parsed(text);
  const plugins = content?.['plugins'];
  if (content === null || !Array.isArray(plugins))
    throw new Error(
      `${file} is no catalog: it must be JSON with a list “plugins”. Correct it, or name another file.`,
    );
  return { file, directory: dirname(file), content, entries: plugins as CatalogEntry[] };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Writes the catalog with this entry, replacing one with the same id. */
export async function writeEntry(catalog: Catalog, entry: CatalogEntry): Promise<void> {
  const others = catalog.entries.filter(({ id }) => id !== entry.id);
  catalog.entries = [...others, entry].sort((a, b) => (a.id < b.id ? -1 : 1));
  catalog.content['plugins'] = catalog.entries;
  await mkdir(catalog.directory, { recursive: true });
  await writeFileAtomic(catalog.file, `${JSON.stringify(catalog.content, null, 2)}\n`);
}
