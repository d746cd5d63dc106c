import { idPrefixOf } from '../catalogs/catalog-kinds.ts';
import { nameSlug } from '../catalogs/name-slug.ts';
import type { CatalogEntry } from '../catalogs/catalog.ts';
import type { Source } from '../sources/source-service.ts';
import { entryById } from './entry-index.ts';

/** An entry with the source that lists it. */
export interface FoundEntry {
  source: Source;
  entry: CatalogEntry;
}

/**
 * Returns the entry that a plugin is installed or updated from, in the first source that has it.
 * Follows renames.
 */
export function findEntry(sources: readonly Source[], id: string): FoundEntry | undefined {
  for (const source of sources) {
    if (!source.enabled) continue;
    const byId = (pluginId: string): CatalogEntry | undefined => entryById(source, pluginId);
    const entry = byId(id) ?? renamed(source, id, byId);
    if (entry) return { source, entry };
  }
  return undefined;
}

/** A renamed plugin keeps the id it was installed with. */
function renamed(
  source: Source,
  id: string,
  byId: (pluginId: string) => CatalogEntry | undefined,
): CatalogEntry | undefined {
  const prefix = idPrefixOf(source.kind, source.id);
  if (!id.startsWith(prefix)) return undefined;
  const bySlug = new Map(
    Object.entries(source.catalog.renames).map(([old, now]) => [nameSlug(old), now]),
  );
  const seen = new Set<string>();
  let slug: string | undefined = id.slice(prefix.length);
  while (slug !== undefined && !seen.has(slug)) {
    seen.add(slug);
    const now: string | null | undefined = bySlug.get(slug);
    slug = typeof now === 'string' ? nameSlug(now) : undefined;
    const entry = slug === undefined ? undefined : byId(prefix + slug);
    if (entry) return entry;
  }
  return undefined;
}
