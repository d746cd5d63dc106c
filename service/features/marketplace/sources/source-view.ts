import type { PluginStoreSource } from '../../../contract/index.ts';
import type { Source } from './source-book.ts';

/** What the outside sees of a source. */
export function viewOf(source: Source): PluginStoreSource {
  const { id, kind, url, ref, enabled, builtIn, read, catalog, error } = source;
  return {
    ...{ id, kind, url, enabled, builtIn },
    name: catalog.name ?? id,
    ...(ref === null ? {} : { ref }),
    lastRefreshedAt: read?.fetchedAt ?? null,
    ...(error === undefined ? {} : { error }),
    pluginCount: catalog.entries.length,
    warnings: catalog.warnings,
  };
}
