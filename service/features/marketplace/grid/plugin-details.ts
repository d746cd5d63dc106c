import type { OfferedVersion, PluginDetails } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { type Plugin, sizeOfTree } from '../../plugins/index.ts';
import type { Source } from '../sources/source-service.ts';
import { folderOf, textsOf } from './entry-facts.ts';
import { findEntry, type FoundEntry } from './find-entry.ts';
import type { CatalogEntry } from '../catalogs/catalog.ts';
import { comparisonOf } from './is-update.ts';
import { entryOf, entryView, type GridOptions, installedView } from './market-grid.ts';
import { locationOf } from './plugin-location.ts';
import { readReadme } from './read-readme.ts';
import { msg } from '../../../messages/index.ts';

/** Sources of the details of a plugin. */
export interface DetailOptions extends GridOptions {
  dataDirectory: (id: string) => string;
}

/** @throws HostError 404 `unknown_plugin` */
export async function pluginDetails(
  id: string,
  sources: readonly Source[],
  options: DetailOptions,
): Promise<PluginDetails> {
  const plugin = options.host.find(id);
  const found = findEntry(sources, id);
  if (plugin) {
    const [view, readme, sizeBytes, dataSizeBytes] = await Promise.all([
      installedView(plugin, sources, options),
      readReadme(plugin.directory),
      sizeOfTree(plugin.directory),
      sizeOfTree(options.dataDirectory(id)),
    ]);
    const versions = [found?.entry.version ?? view.installedVersion].filter((one) => one !== null);
    return {
      ...view,
      versions,
      ...(sizeBytes === undefined ? {} : { sizeBytes }),
      ...(dataSizeBytes === undefined ? {} : { dataSizeBytes }),
      ...(readme === null ? {} : { readme }),
      ...placed(plugin, entryOf(plugin, sources)),
    };
  }
  if (!found) throw new HostError('missing', 'unknown_plugin', msg('store.unknownPlugin', { id }));
  const view = entryView(found.source, found.entry);
  const { source } = found.entry;
  const sizeBytes = source.form === 'package' ? source.sizeBytes : null;
  return {
    ...view,
    versions: view.version === '' ? [] : [view.version],
    ...(sizeBytes === null ? {} : { sizeBytes }),
    ...readmeInSource(found),
    ...placed(undefined, found),
  };
}

/** The README read from the catalog's repository, if the plugin is in it. */
function readmeInSource(found: FoundEntry): Pick<PluginDetails, 'readme'> {
  const readme = folderOf(found)?.readme;
  return readme === undefined ? {} : { readme };
}

/** The origin of the plugin, and the version that its catalog has now. */
function placed(
  plugin: Plugin | undefined,
  found: FoundEntry | undefined,
): Pick<PluginDetails, 'place' | 'besideCatalog' | 'offered'> {
  const location = locationOf(plugin, found);
  return {
    ...(found && isExtra(found.entry.source) ? { besideCatalog: true } : {}),
    ...(location === undefined ? {} : { place: location }),
    ...(plugin && found ? { offered: offeredTo(plugin, found) } : {}),
  };
}

const isExtra = (from: CatalogEntry['source']): boolean =>
  from.form === 'relative' || (from.form === 'package' && from.url.startsWith('file:'));

function offeredTo(plugin: Plugin, found: FoundEntry): OfferedVersion {
  const { manifest } = found.entry;
  const { version } = textsOf(found);
  const permissions = manifest?.permissions ?? [];
  const held = plugin.manifest.permissions;
  const addedPermissions = permissions.filter((one) => !held.includes(one));
  const comparison = comparisonOf(found, plugin);
  return { version: version ?? '', comparison, permissions, addedPermissions };
}
