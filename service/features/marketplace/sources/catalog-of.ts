import type { SourceKind } from '../../../contract/index.ts';
import type { Catalog, CatalogEntry, EntrySource } from '../catalogs/catalog.ts';
import { detectKind } from '../catalogs/detect-kind.ts';
import { parseCatalog } from '../catalogs/parse-catalog.ts';
import { checkUrl } from '../../../platform/web/check-url.ts';
import { HostError } from '../../../core/host-error.ts';
import type { CachedCatalog } from './catalog-cache.ts';
import { entryNetworkPolicy } from './source-network-policy.ts';
import { isMessage, type Message, msg } from '../../../messages/index.ts';

export const emptyCatalog = (kind: SourceKind): Catalog => ({
  kind,
  name: null,
  description: null,
  entries: [],
  warnings: [],
  renames: {},
});

/**
 * The catalog that was read; entries that must not be installed from such a source have a reason.
 * @throws HostError `invalid_catalog`
 */
export function catalogOf(read: CachedCatalog, webAllow: readonly string[]): Catalog {
  const { kind, address } = read;
  const document: unknown = JSON.parse(withoutMark(read.text));
  const catalog = parseCatalog(document, {
    kind,
    address,
    resolveAgainst: (relative) => siblingAddress(read, relative),
  });
  requireKind(catalog, document, address);
  const entries = catalog.entries.map((entry): CatalogEntry => {
    const reason = refusalOf(entry.source, read, webAllow);
    return reason === undefined ? entry : { ...entry, source: { form: 'none', reason } };
  });
  return { ...catalog, entries };
}

/** If every entry is invalid, the kind chosen by the user may be wrong. */
function requireKind(
  { kind, entries, warnings }: Catalog,
  document: unknown,
  address: string,
): void {
  if (entries.length > 0 || warnings.length === 0) return;
  const found = detectKind(document, address);
  if (found === null || found === kind) return;
  const message = msg('store.otherCatalogKind', { found, kind });
  throw new HostError('invalid', 'invalid_catalog', message);
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** Address of a repository next to the one with the catalog. */
function siblingAddress({ form, address }: CachedCatalog, relative: string): string | null {
  if (form !== 'repository') return null;
  try {
    return new URL(relative, address.endsWith('/') ? address : `${address}/`).href;
  } catch {
    return null;
  }
}

function refusalOf(
  source: EntrySource,
  { form, place }: CachedCatalog,
  webAllow: readonly string[],
): Message | undefined {
  if (source.form === 'none') return undefined;
  if (source.form === 'relative') {
    if (form === 'repository') return undefined;
    return msg('store.inCatalogRepository');
  }
  if (source.url.startsWith('file:')) {
    if (place === 'file') return undefined;
    return msg('store.inLocalFile');
  }
  try {
    checkUrl(source.url, entryNetworkPolicy(place, webAllow));
    return undefined;
  } catch (error) {
    if (error instanceof HostError && isMessage(error.text)) return error.text;
    throw error;
  }
}
