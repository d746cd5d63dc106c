import type { SourceKind } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { detectKind } from '../catalogs/detect-kind.ts';
import { parseCatalog } from '../catalogs/parse-catalog.ts';
import type { CachedCatalog } from './catalog-cache.ts';
import type { SourceAddress } from './source-address.ts';
import { msg } from '../../../messages/index.ts';

export const maxCatalogBytes = 16 * 1024 ** 2;

export interface SourceQuery extends SourceAddress {
  ref: string | null;
  /** Null: to be found out. */
  kind: SourceKind | null;
  /** What is known from last time. */
  cached: CachedCatalog | null;
}

/** The parts of a reading that do not depend on where it was read. */
export function readingOf(
  { url, ref, kind }: SourceQuery,
  document: unknown,
): Pick<CachedCatalog, 'url' | 'ref' | 'kind' | 'fetchedAt'> {
  const found = kind ?? detectKind(document, url);
  if (found === null) {
    // Says what the document is instead, where it does not even list plugins.
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
