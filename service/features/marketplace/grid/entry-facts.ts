import { valid } from 'semver';
import type { PluginWarning } from '../../../contract/index.ts';
import { fieldProblem } from '../../../core/field-problem.ts';
import { languageServersIn } from '../../contributions/index.ts';
import type { CatalogEntry } from '../catalogs/catalog.ts';
import type { PluginFolder } from '../sources/plugin-folders.ts';
import type { Source } from '../sources/source-service.ts';
import type { FoundEntry } from './find-entry.ts';
import { msg } from '../../../messages/index.ts';

/** The facts read from the files of an entry when its catalog is in the same repository. */
export function folderOf({ source, entry }: FoundEntry): PluginFolder | undefined {
  if (entry.source.form !== 'relative') return undefined;
  const folders = source.read?.folders ?? {};
  const { path } = entry.source;
  return Object.hasOwn(folders, path) ? folders[path] : undefined;
}

/** Texts of the catalog, or of the plugin's own manifest if the catalog has none. */
export function textsOf(
  found: FoundEntry,
): Pick<CatalogEntry, 'description' | 'author' | 'version'> {
  const { entry } = found;
  const own = folderOf(found);
  return {
    description: entry.description || (own?.description ?? ''),
    author: entry.author || (own?.author ?? ''),
    version: entry.version ?? valid(own?.version ?? null),
  };
}

/** Parts that an installation would not provide, as far as they are known before it. */
export function entryWarnings(found: FoundEntry): PluginWarning[] {
  const { entry } = found;
  if (entry.source.form === 'none' || entry.manifest !== null) return [];
  const own = folderOf(found);
  const declares = Object.values(entry.declared).some((part) => part !== undefined);
  const servers = [...languageServersIn(entry.raw['lspServers']), ...(own?.languageServers ?? [])];
  return warningsOf({ bringsNothing: own?.hasParts === false && !declares, servers });
}

/** The same warnings from fetched files. */
export function warningsOf({
  bringsNothing,
  servers,
}: {
  bringsNothing: boolean;
  servers: readonly string[];
}): PluginWarning[] {
  return [...(bringsNothing ? [nothingUsable] : []), ...languageServerWarnings(servers)];
}

const nothingUsable: PluginWarning = fieldProblem({ path: '', message: msg('store.addsNothing') });

function languageServerWarnings(servers: readonly string[]): PluginWarning[] {
  const names = [...new Set(servers)];
  if (names.length === 0) return [];
  const message = msg('store.languageServersLeftOut', { names });
  return [fieldProblem({ path: 'lspServers', message })];
}

/** True if its files must be fetched from another machine. */
export function needsNetwork({ source, entry }: FoundEntry): boolean {
  const { form } = entry.source;
  if (form === 'none') return false;
  return isRemote(form === 'relative' ? source : entry.source);
}

function isRemote({ url }: Pick<Source, 'url'>): boolean {
  const address = URL.parse(url);
  if (address === null || address.protocol === 'file:') return false;
  return !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(address.hostname);
}
