import { officialSourceName, type PluginStoreSource } from '../../../contract/index.ts';
import type { Source } from './source-service.ts';

/** No other source is called like the one of the vendor, however it spells that. */
export function nameOf({
  id,
  builtIn,
  catalog,
}: Pick<Source, 'id' | 'builtIn' | 'catalog'>): string {
  const name = catalog.name ?? id;
  const isOurs = lettersOf(name) === lettersOf(officialSourceName);
  return isOurs && !builtIn ? `${name} (${id})` : name;
}

const lettersOf = (name: string): string =>
  name.normalize('NFKC').toLowerCase().replace(/\P{L}/gu, '');

/** What the outside sees of a source. */
export function viewOf(source: Source): PluginStoreSource {
  const { id, kind, url, ref, publicKey, enabled, builtIn, read, catalog, error } = source;
  return {
    id,
    kind,
    url,
    enabled,
    builtIn,
    name: nameOf(source),
    ...(ref === null ? {} : { ref }),
    ...(publicKey === null ? {} : { publicKey }),
    lastRefreshedAt: read?.fetchedAt ?? null,
    ...(error === undefined ? {} : { error }),
    pluginCount: catalog.entries.length,
    warnings: catalog.warnings,
  };
}
