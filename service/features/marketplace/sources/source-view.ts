import { officialSourceName, type PluginStoreSource } from '../../../contract/index.ts';
import { messageOf, textOf } from '../../../messages/index.ts';
import type { CatalogWarning } from '../catalogs/catalog.ts';
import type { Source } from './source-service.ts';

/** No other source may have the name of the vendor in any spelling. */
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

const warningView = ({ entry, reason }: CatalogWarning): PluginStoreSource['warnings'][number] => ({
  entry: textOf(entry),
  entryMessage: messageOf(entry),
  reason: textOf(reason),
  reasonMessage: reason,
});

/** A source as clients see it. */
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
    ...(error === undefined ? {} : { error: textOf(error), errorMessage: messageOf(error) }),
    pluginCount: catalog.entries.length,
    warnings: catalog.warnings.map(warningView),
  };
}
