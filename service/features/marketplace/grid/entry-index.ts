import type { Catalog, CatalogEntry } from '../catalogs/catalog.ts';
import type { Source } from '../sources/source-service.ts';
import { pluginIdOf } from './plugin-key.ts';

/** Cached, since ids change only with the catalog and the source. */
const indexes = new WeakMap<Catalog, { sourceId: string; byId: Map<string, CatalogEntry> }>();

/** The entry of a source from which a plugin with that id would be installed. */
export function entryById(source: Source, id: string): CatalogEntry | undefined {
  const { catalog } = source;
  const cached = indexes.get(catalog);
  if (cached?.sourceId === source.id) return cached.byId.get(id);
  const byId = new Map<string, CatalogEntry>();
  for (const entry of catalog.entries) {
    const key = pluginIdOf(source, entry);
    if (!byId.has(key)) byId.set(key, entry);
  }
  indexes.set(catalog, { sourceId: source.id, byId });
  return byId.get(id);
}
