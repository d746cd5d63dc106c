import { HostError } from '../../../core/host-error.ts';
import type { Plugin, PluginHost } from '../../plugins/index.ts';
import type { Git } from '../git/git.ts';
import { findEntry, type FoundEntry } from '../grid/find-entry.ts';
import { entryOf } from '../grid/market-grid.ts';
import type { BuiltInSource } from '../sources/built-in-source.ts';
import type { SourceService } from '../sources/source-service.ts';
import { type Installed, Operations, type OperationWork } from './operations.ts';
import { warningsAbout } from './warnings-about.ts';
import type { FetchedPluginHandler } from './fetched-plugin.ts';
import { fetchEntry } from './fetch-entry.ts';
import { type Message, msg, textOf } from '../../../messages/index.ts';

const warningEntry = { level: 'WARN', logger: 'host.install', thread: null };

/** Dependencies of installations from catalogs. */
export interface CatalogInstallOptions {
  host: PluginHost;
  sourceService: SourceService;
  builtIn: BuiltInSource;
  git: Git;
  staging: string;
  webAllow: readonly string[];
  requireChecksum: () => boolean;
}

/** Installs and updates plugins from the sources of the store. */
export class CatalogInstalls {
  readonly operations = new Operations();
  private readonly options: CatalogInstallOptions;

  constructor(options: CatalogInstallOptions) {
    this.options = options;
  }

  /**
   * Starts an installation and returns the id of its operation.
   * @throws HostError 404 `unknown_plugin`, 409 `already_installed`, `not_installable`,
   * `operation_running`
   */
  async install(id: string): Promise<{ id: string; finished: Promise<Installed> }> {
    const { host, sourceService } = this.options;
    const installed = host.find(id);
    if (installed) {
      const message = msg('store.alreadyInstalled', { name: installed.manifest.name });
      throw new HostError('conflict', 'already_installed', message);
    }
    const found = findEntry(await sourceService.all(), id);
    if (!found)
      throw new HostError('missing', 'unknown_plugin', msg('store.unknownPlugin', { id }));
    return this.operations.start('install', id, this.workOf('install', id, found));
  }

  /**
   * Starts an update and returns the id of its operation.
   * @throws HostError 404 `unknown_plugin`, 409 `not_in_catalog`, `not_installable`,
   * `operation_running`
   */
  async update(id: string): Promise<{ id: string; finished: Promise<Installed> }> {
    const { host, sourceService } = this.options;
    const plugin = host.get(id);
    const found = entryOf(plugin, await sourceService.all());
    if (!found) {
      throw new HostError('conflict', 'not_in_catalog', notInCatalog(plugin));
    }
    return this.operations.start('update', id, this.workOf('update', id, found));
  }

  private workOf(kind: 'install' | 'update', id: string, found: FoundEntry): OperationWork {
    const onFetched = this.fetchedHandlerFor(kind);
    const requireChecksum = this.options.requireChecksum();
    return fetchEntry(id, found, { ...this.options, onFetched, requireChecksum });
  }

  /** An update during which its plugin is uninstalled must not restore it. */
  private fetchedHandlerFor(kind: 'install' | 'update'): FetchedPluginHandler<Installed> {
    const { host } = this.options;
    return async ({ plugin: accepted, skipped }, signal) => {
      const plugin = await host[kind](accepted, signal);
      for (const { name, reason } of skipped)
        plugin.log.add({
          ...warningEntry,
          message: `${name} ${textOf(reason)}, so it was left out`,
        });
      const warnings = await warningsAbout(plugin);
      for (const { message } of warnings) plugin.log.add({ ...warningEntry, message });
      return { plugin, warnings };
    };
  }
}

/** A package cannot replace a plugin from git. */
function notInCatalog({ manifest: { name }, origin }: Plugin): Message {
  return origin === null ? msg('store.inNoCatalog', { name }) : msg('store.sourceGone', { name });
}
