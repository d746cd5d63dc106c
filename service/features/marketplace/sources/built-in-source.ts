import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { officialSourceName } from '../../../contract/index.ts';
import type { Catalog } from '../catalogs/catalog.ts';
import { decodeCatalog } from '../catalogs/decode-catalog.ts';
import { parseCatalog } from '../catalogs/parse-catalog.ts';
import { emptyCatalog } from './catalog-of.ts';
import type { SourceRow } from './source-store.ts';
import { msg } from '../../../messages/index.ts';

/**
 * The vendor's own source: packages shipped with the host, and the catalog at
 * `host.marketplace.catalog-url`.
 */
export interface BuiltInSource {
  id: string;
  /** Reads the shipped packages; the source is empty before. */
  open(): Promise<void>;
  /** True if there is also an address to read. */
  isRemote: boolean;
  row(enabled: boolean): SourceRow;
  /** Adds the shipped packages to a catalog. */
  with(catalog: Catalog): Catalog;
  /** True if a package with that SHA-256 is shipped with the host. */
  isShipped(sha256: string | null): boolean;
}

const id = 'host';

export function createBuiltInSource(directory: string, catalogUrl: string | null): BuiltInSource {
  let shipped: Catalog = { ...emptyCatalog('HOST'), name: officialSourceName };
  let hashes = new Set<string | null>();
  return {
    id,
    async open() {
      shipped = await readShipped(directory);
      hashes = new Set(
        shipped.entries.flatMap(({ source }) => (source.form === 'package' ? [source.sha256] : [])),
      );
    },
    isRemote: catalogUrl !== null,
    row: (enabled) => ({
      id,
      kind: 'HOST',
      kindSpecified: true,
      url: catalogUrl ?? 'app://plugins',
      ref: null,
      publicKey: null,
      enabled,
      addedAt: new Date(0),
    }),
    with: (catalog) => merged(shipped, catalog),
    isShipped: (sha256) => sha256 !== null && hashes.has(sha256),
  };
}

function merged(shipped: Catalog, catalog: Catalog): Catalog {
  const own = new Set(shipped.entries.map(({ name }) => name));
  const others = catalog.entries.filter(({ name }) => !own.has(name));
  return {
    ...catalog,
    name: shipped.name,
    entries: [...shipped.entries, ...others],
    warnings: [...shipped.warnings, ...catalog.warnings],
  };
}

/**
 * The catalog that the build writes next to the packages. A damaged one does not prevent the start.
 */
async function readShipped(directory: string): Promise<Catalog> {
  const file = join(directory, 'catalog.json');
  const bytes = await readFile(file).catch(() => null);
  const name = officialSourceName;
  if (bytes === null) return { ...emptyCatalog('HOST'), name };
  const address = pathToFileURL(file).href;
  try {
    const document = decodeCatalog(bytes);
    return { ...parseCatalog(document, { kind: 'HOST', address, trusted: true }), name };
  } catch {
    const reason = msg('store.shippedCatalogDamaged');
    return { ...emptyCatalog('HOST'), name, warnings: [{ entry: '', reason }] };
  }
}
