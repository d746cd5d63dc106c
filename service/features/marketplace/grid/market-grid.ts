import { isDeepStrictEqual } from 'node:util';
import type { MarketplacePlugin } from '../../../contract/index.ts';
import { descriptorOf, type Plugin, type PluginHost } from '../../plugins/index.ts';
import type { Contributions } from '../../contributions/index.ts';
import { catalogKinds } from '../catalogs/catalog-kinds.ts';
import type { CatalogEntry } from '../catalogs/catalog.ts';
import { textOf } from '../../../messages/index.ts';
import type { Source } from '../sources/source-service.ts';
import { listingOf } from '../sources/listing-of.ts';
import { nameOf } from '../sources/source-view.ts';
import { entryWarnings, needsNetwork, textsOf, warningsOf } from './entry-facts.ts';
import { findEntry, type FoundEntry } from './find-entry.ts';
import { isUpdate } from './is-update.ts';
import { pluginIdOf } from './plugin-key.ts';
import { signedBy } from './signed-by.ts';

/** Sources of the grid of plugins. */
export interface GridOptions {
  host: PluginHost;
  contributions: Contributions;
  baseUrl: () => string;
}

const comma = Buffer.from(',');

/**
 * Every entry of every enabled source and every installed plugin, each id once, as serialized JSON.
 */
export async function marketGrid(
  sources: readonly Source[],
  options: GridOptions,
): Promise<Buffer[]> {
  const installed = await installedGrid(sources, options);
  const listedIds = new Set(installed.map(({ id }) => id));
  // A renamed plugin is shown with the id it was installed with.
  for (const plugin of options.host.list()) {
    const found = entryOf(plugin, sources);
    if (found) listedIds.add(pluginIdOf(found.source, found.entry));
  }
  const views: Buffer[] = installed.map((view) => Buffer.from(JSON.stringify(view)));
  for (const source of sources) {
    if (!source.enabled) continue;
    for (const { id, json } of writtenEntries(source)) {
      if (listedIds.has(id)) continue;
      listedIds.add(id);
      views.push(json);
    }
  }
  const pieces = views.flatMap((view, index) => (index === 0 ? [view] : [comma, view]));
  return [Buffer.from('['), ...pieces, Buffer.from(']')];
}

/** The views of all installed plugins. */
export function installedGrid(
  sources: readonly Source[],
  options: GridOptions,
): Promise<MarketplacePlugin[]> {
  return Promise.all(options.host.list().map((plugin) => installedView(plugin, sources, options)));
}

/** The view of an installed plugin, with the update that its catalog offers. */
export async function installedView(
  plugin: Plugin,
  sources: readonly Source[],
  { host, contributions, baseUrl }: GridOptions,
): Promise<MarketplacePlugin> {
  const found = entryOf(plugin, sources);
  // Null if the files cannot be read.
  const contents = await contributions.namesOf(plugin).catch(() => null);
  const { manifest, origin } = plugin;
  const descriptor = descriptorOf(host, plugin, baseUrl());
  return {
    ...descriptor,
    ...(contents ? { contents } : {}),
    ...(found ? listedView(found, plugin) : unlisted),
    installed: true,
    installedVersion: descriptor.version,
    manifest: origin === null ? manifest : origin.raw,
    ...(origin === null ? {} : { commit: origin.commit, ...emptyWarnings(contents) }),
  };
}

/** A plugin from git has no page and no worker, so without contents it does nothing. */
function emptyWarnings(
  contents: MarketplacePlugin['contents'] | null,
): Pick<MarketplacePlugin, 'warnings'> {
  if (contents !== undefined) return {};
  return { warnings: warningsOf({ bringsNothing: true, servers: [] }) };
}

type ListedView = Pick<
  MarketplacePlugin,
  'keywords' | 'sourceId' | 'sourceName' | 'updateAvailable' | 'installable'
>;

const unlisted: ListedView = {
  keywords: [],
  sourceId: null,
  sourceName: null,
  updateAvailable: false,
  installable: false,
};

/** The fields that an installed plugin gets from its catalog entry. */
function listedView(found: FoundEntry, plugin: Plugin): ListedView {
  const { source, entry } = found;
  const installable = entry.source.form !== 'none';
  return {
    keywords: entry.keywords,
    sourceId: source.id,
    sourceName: nameOf(source),
    installable,
    updateAvailable: installable && isUpdate(found, plugin),
    ...furtherView(entry),
    ...signedBy(source, entry),
  };
}

const furtherView = ({
  source,
  homepage,
}: CatalogEntry): Pick<
  MarketplacePlugin,
  'homepage' | 'notInstallableReason' | 'notInstallableReasonMessage'
> => ({
  ...(source.form === 'none'
    ? { notInstallableReason: textOf(source.reason), notInstallableReasonMessage: source.reason }
    : {}),
  ...(homepage === null ? {} : { homepage }),
});

/** The entry that an installed plugin is updated from. */
export function entryOf(plugin: Plugin, sources: readonly Source[]): FoundEntry | undefined {
  return findEntry(sourcesOf(plugin, sources), plugin.id);
}

/**
 * The source of an installed plugin. A package without one, or from a catalog that was removed,
 * belongs to any catalog of packages that lists its id.
 */
function sourcesOf({ origin, listing }: Plugin, sources: readonly Source[]): readonly Source[] {
  if (origin !== null)
    return sources.filter(({ id, url }) => id === origin.sourceId && url === origin.sourceUrl);
  const catalogs = sources.filter(({ kind }) => catalogKinds[kind].hasPackages);
  const own = catalogs.filter(
    (source) => source.id === listing?.sourceId && isDeepStrictEqual(listingOf(source), listing),
  );
  return own.length > 0 ? own : catalogs;
}

const shortOf = (commit: string): string => commit.slice(0, 12);

interface WrittenEntry {
  id: string;
  json: Buffer;
}

/**
 * Serialized entries, which change only with the catalog; serializing them costs more than all
 * other work.
 */
const written = new WeakMap<Source['catalog'], { sourceId: string; list: WrittenEntry[] }>();

function writtenEntries(source: Source): WrittenEntry[] {
  const cached = written.get(source.catalog);
  if (cached?.sourceId === source.id) return cached.list;
  const list = source.catalog.entries.map((entry) => {
    const view = entryView(source, entry);
    return { id: view.id, json: Buffer.from(JSON.stringify(view)) };
  });
  written.set(source.catalog, { sourceId: source.id, list });
  return list;
}

/** The view of an entry that is not installed. */
export function entryView(source: Source, entry: CatalogEntry): MarketplacePlugin {
  const { description, author, version } = textsOf({ source, entry });
  const warnings = entryWarnings({ source, entry });
  return {
    id: pluginIdOf(source, entry),
    name: entry.title,
    description,
    author,
    category: entry.category || 'other',
    keywords: entry.keywords,
    version: version ?? pinOf(entry),
    ...manifestView(entry.manifest),
    uiEntry: '',
    enabled: false,
    iconStyle: 'BLUE',
    state: 'stopped',
    sourceId: source.id,
    sourceName: nameOf(source),
    installed: false,
    installedVersion: null,
    updateAvailable: false,
    manifest: entry.manifest ?? entry.raw,
    installable: entry.source.form !== 'none',
    ...furtherView(entry),
    ...signedBy(source, entry),
    ...(needsNetwork({ source, entry }) ? { needsNetwork: true } : {}),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function manifestView(
  manifest: CatalogEntry['manifest'],
): Pick<MarketplacePlugin, 'icon' | 'permissions' | 'supportsAi' | 'source'> {
  if (manifest === null) {
    return { icon: '', permissions: [], supportsAi: false, source: 'THIRD_PARTY' };
  }
  const { icon, permissions, aiTools, official } = manifest;
  const source = official ? 'OFFICIAL' : 'THIRD_PARTY';
  return { icon, permissions, supportsAi: aiTools.length > 0, source };
}

const pinOf = ({ source }: CatalogEntry): string =>
  source.form === 'git' && source.sha !== null ? shortOf(source.sha) : '';
