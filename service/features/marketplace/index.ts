/**
 * The store: sources and their catalogs, available and installed plugins, installation and updates.
 */
import { join } from 'node:path';
import type { WasChosen } from '../../core/chosen-path.ts';
import type { Route } from '../../http/route.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { HostPaths } from '../../platform/paths.ts';
import type { Processes } from '../../platform/processes.ts';
import type { Contributions } from '../contributions/index.ts';
import type { KitProgram, PluginHost } from '../plugins/index.ts';
import { Git } from './git/git.ts';
import { CatalogInstalls } from './installs/catalog-installs.ts';
import { PluginPreviews } from './installs/plugin-previews.ts';
import { marketplaceRoutes } from './routes.ts';
import { createBuiltInSource } from './sources/built-in-source.ts';
import { CatalogCache } from './sources/catalog-cache.ts';
import { SourceService } from './sources/source-service.ts';
import { SourceStore } from './sources/source-store.ts';

/** Dependencies of the marketplace feature. */
export interface MarketplaceOptions {
  database: Database;
  host: PluginHost;
  contributions: Contributions;
  processes: Processes;
  paths: HostPaths;
  log: Log;
  baseUrl: () => string;
  requireChecksum: () => boolean;
  wasChosen: WasChosen;
  /** Converts uploads of other formats to packages. */
  kit: KitProgram;
  /** Packages that are shipped with the host, and their catalog. */
  shippedDirectory: string;
  /** The property `host.marketplace.catalog-url`. */
  catalogUrl: string | null;
  /** `ip:port` of private addresses that may be contacted. */
  webAllow: readonly string[];
}

/** The marketplace feature; `close` cancels running operations. */
export interface MarketplaceFeature {
  routes: Route[];
  /** Starts to refresh outdated catalogs in the background. */
  start(): void;
  close(): Promise<void>;
}

export function createMarketplace(options: MarketplaceOptions): MarketplaceFeature {
  const { database, host, paths, log, webAllow } = options;
  const git = new Git(options.processes);
  const builtIn = createBuiltInSource(options.shippedDirectory, options.catalogUrl);
  const { staging } = paths;
  const sourceService = new SourceService({
    store: new SourceStore(database),
    cache: new CatalogCache(paths.store),
    tools: { git, webAllow, staging },
    origins: () => host.list().flatMap(({ origin }) => (origin === null ? [] : [origin])),
    builtIn,
    log,
  });
  const installs = new CatalogInstalls({
    host,
    sourceService,
    builtIn,
    git,
    staging,
    webAllow,
    requireChecksum: options.requireChecksum,
  });
  const previews = new PluginPreviews({ sourceService, builtIn, git, staging, webAllow });
  const dataDirectory = (id: string): string => join(paths.pluginData, id);
  return {
    routes: marketplaceRoutes({
      ...options,
      converter: { kit: options.kit, staging },
      sourceService,
      installs,
      previews,
      dataDirectory,
    }),
    start: () => sourceService.start(),
    async close() {
      previews.close();
      await installs.operations.close();
      await sourceService.close();
    },
  };
}
