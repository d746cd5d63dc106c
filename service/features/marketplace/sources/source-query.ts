import type { SourceKind } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { detectKind } from '../catalogs/detect-kind.ts';
import { parseCatalog } from '../catalogs/parse-catalog.ts';
import type { CachedCatalog } from './catalog-cache.ts';
import type { SourceAddress } from './source-address.ts';
import { msg } from '../../../messages/index.ts';

/** Limit of the size of a catalog. */
export const maxCatalogBytes = 16 * 1024 ** 2;

/** A source to read. */
export interface SourceQuery extends SourceAddress {
  ref: string | null;
  /** Null: detect it. */
  kind: SourceKind | null;
  /** The result of the last reading. */
  cached: CachedCatalog | null;
}

/** The parts of a reading that do not depend on its origin. */
export function readingOf(
  { url, ref, kind }: SourceQuery,
  document: unknown,
): Pick<CachedCatalog, 'url' | 'ref' | 'kind' | 'fetchedAt'> {
  const found = kind ?? detectKind(document, url);
  if (found === null) {
    // Throws a more precise error if the document does not list plugins at all.
    parseCatalog(document, { kind: 'CLAUDE', address: url });
    throw noCatalog();
  }
  return { url, ref, kind: found, fetchedAt: new Date().toISOString() };
}

function noCatalog(): HostError {
  const message = msg('store.catalogKindUnknown');
  return new HostError('invalid', 'invalid_catalog', message);
}

export function tooLarge(): HostError {
  return new HostError('too-large', 'too_large', msg('store.catalogTooLarge'));
}
