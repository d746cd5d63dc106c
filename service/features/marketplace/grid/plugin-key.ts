import type { CatalogEntry } from '../catalogs/catalog.ts';
import { idPrefixOf } from '../catalogs/catalog-kinds.ts';
import type { Source } from '../sources/source-service.ts';

/**
 * The id of an entry once it is installed: its own for packages, otherwise made from source and
 * name.
 */
export function pluginIdOf(source: Pick<Source, 'id' | 'kind'>, entry: CatalogEntry): string {
  return entry.manifest?.id ?? idPrefixOf(source.kind, source.id) + entry.slug;
}
