import type { MarketplacePlugin } from '../../../contract/index.ts';
import { descriptorOf, type Plugin, type PluginHost } from '../../plugins/index.ts';
import type { Contributions } from '../../contributions/index.ts';
import type { CatalogEntry } from '../catalogs/catalog.ts';
import type { Source } from '../sources/source-book.ts';
import { findEntry, type FoundEntry } from './find-entry.ts';
import { isUpdate } from './is-update.ts';
import { pluginIdOf } from './plugin-key.ts';

export interface GridOptions {
  host: PluginHost;
  contributions: Contributions;
  baseUrl: () => string;
}

/** Every entry of every enabled source and every installed plugin, each id once. */
export async function marketGrid(
  sources: readonly Source[],
  options: GridOptions,
): Promise<MarketplacePlugin[]> {
  const installed = await Promise.all(
    options.host.list().map((plugin) => installedView(plugin, sources, options)),
  );
  const shown = new Set(installed.map(({ id }) => id));
  const available: MarketplacePlugin[] = [];
  for (const source of sources) {
    if (!source.enabled) continue;
    for (const view of entryViews(source)) {
      if (shown.has(view.id)) continue;
      shown.add(view.id);
      available.push(view);
    }
  }
  return [...installed, ...available];
}

export async function installedView(
  plugin: Plugin,
  sources: readonly Source[],
  { host, contributions, baseUrl }: GridOptions,
): Promise<MarketplacePlugin> {
  const found = entryOf(plugin, sources);
  const contents = await contributions.namesOf(plugin).catch(() => undefined);
  const { manifest, origin } = plugin;
  const reason = found?.entry.source.form === 'none' ? found.entry.source.reason : undefined;
  return {
    ...descriptorOf(host, plugin, baseUrl()),
    ...(contents === undefined ? {} : { contents }),
    keywords: found?.entry.keywords ?? [],
    sourceId: found?.source.id ?? null,
    sourceName: found ? (found.source.catalog.name ?? found.source.id) : null,
    installed: true,
    installedVersion:
      origin === null ? manifest.version : (origin.version ?? shortOf(origin.commit)),
    updateAvailable: found !== undefined && reason === undefined && isUpdate(found, plugin),
    manifest: origin === null ? manifest : origin.raw,
    installable: found !== undefined && reason === undefined,
    ...(reason === undefined ? {} : { notInstallableReason: reason }),
    ...(found?.entry.homepage ? { homepage: found.entry.homepage } : {}),
    ...(origin === null ? {} : { commit: origin.commit }),
  };
}

/** The entry of the source that the plugin came from; a package belongs to whoever lists its id. */
export function entryOf(plugin: Plugin, sources: readonly Source[]): FoundEntry | undefined {
  const { origin } = plugin;
  const own =
    origin === null
      ? sources
      : sources.filter(({ id, url }) => id === origin.sourceId && url === origin.sourceUrl);
  return findEntry(own, plugin.id);
}

export const shortOf = (commit: string): string => commit.slice(0, 12);

/** What a source shows of its entries changes with its catalog only. */
const views = new WeakMap<Source['catalog'], { id: string; list: MarketplacePlugin[] }>();

function entryViews(source: Source): MarketplacePlugin[] {
  const known = views.get(source.catalog);
  if (known?.id === source.id) return known.list;
  const list = source.catalog.entries.map((entry) => entryView(source, entry));
  views.set(source.catalog, { id: source.id, list });
  return list;
}

export function entryView(source: Source, entry: CatalogEntry): MarketplacePlugin {
  const { manifest, source: from } = entry;
  const pinned = from.form === 'git' && from.sha !== null ? shortOf(from.sha) : '';
  return {
    id: pluginIdOf(source, entry),
    name: entry.title,
    description: entry.description,
    category: entry.category || 'other',
    icon: manifest?.icon ?? '',
    version: manifest?.version ?? entry.version ?? pinned,
    uiEntry: '',
    author: entry.author,
    permissions: manifest?.permissions ?? [],
    enabled: false,
    iconStyle: 'BLUE',
    supportsAi: (manifest?.aiTools.length ?? 0) > 0,
    source: manifest?.official === true ? 'OFFICIAL' : 'THIRD_PARTY',
    state: 'stopped',
    keywords: entry.keywords,
    sourceId: source.id,
    sourceName: source.catalog.name ?? source.id,
    installed: false,
    installedVersion: null,
    updateAvailable: false,
    manifest: manifest ?? entry.raw,
    installable: from.form !== 'none',
    ...(from.form === 'none' ? { notInstallableReason: from.reason } : {}),
    ...(entry.homepage === null ? {} : { homepage: entry.homepage }),
  };
}
