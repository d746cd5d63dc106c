import { HostError } from '../../../core/host-error.ts';
import type { FreshPlugin, Plugin, PluginHost } from '../../plugins/index.ts';
import type { Git } from '../git/git.ts';
import { findEntry, type FoundEntry } from '../grid/find-entry.ts';
import { entryOf } from '../grid/market-grid.ts';
import type { BuiltInSource } from '../sources/built-in-source.ts';
import { listingOf } from '../sources/listing-of.ts';
import type { SourceBook } from '../sources/source-book.ts';
import { installCatalogPackage } from './install-package.ts';
import { installFromRepository } from './install-repository.ts';
import { Operations, type OperationWork } from './operations.ts';

export interface CatalogInstallOptions {
  host: PluginHost;
  book: SourceBook;
  builtIn: BuiltInSource;
  git: Git;
  staging: string;
  webAllow: readonly string[];
  requireChecksum: () => boolean;
}

/** Installing and updating from the sources of the store. */
export class CatalogInstalls {
  readonly operations = new Operations();
  private readonly options: CatalogInstallOptions;

  constructor(options: CatalogInstallOptions) {
    this.options = options;
  }

  /** @throws HostError 404 `unknown_plugin`, 409 `already_installed`, `not_installable`, `operation_running` */
  async install(id: string): Promise<{ id: string; finished: Promise<Plugin> }> {
    const { host, book } = this.options;
    const installed = host.find(id);
    if (installed) {
      const message = `${installed.manifest.name} is installed. Update it instead.`;
      throw new HostError('conflict', 'already_installed', message);
    }
    const found = findEntry(await book.all(), id);
    if (!found) throw new HostError('missing', 'unknown_plugin', `No source has the plugin ${id}.`);
    return this.operations.start('install', id, this.workOf('install', id, found));
  }

  /** @throws HostError 404 `unknown_plugin`, 409 `not_in_catalog`, `not_installable`, `operation_running` */
  async update(id: string): Promise<{ id: string; finished: Promise<Plugin> }> {
    const { host, book } = this.options;
    const plugin = host.get(id);
    const found = entryOf(plugin, await book.all());
    if (!found) {
      const message = `${plugin.manifest.name} is in no catalog of the store. Update it with a package file.`;
      throw new HostError('conflict', 'not_in_catalog', message);
    }
    return this.operations.start('update', id, this.workOf('update', id, found));
  }

  private workOf(
    kind: 'install' | 'update',
    id: string,
    { source, entry }: FoundEntry,
  ): OperationWork {
    const { builtIn, requireChecksum } = this.options;
    const tools = { ...this.options, host: this.installerFor(kind) };
    const from = entry.source;
    if (from.form === 'none') throw new HostError('conflict', 'not_installable', from.reason);
    return (report, signal) => {
      if (from.form !== 'package') {
        const install = { id, source, entry, requireChecksum: requireChecksum() };
        return installFromRepository(install, tools, { report, signal });
      }
      const trusted = source.builtIn && builtIn.isShipped(from.sha256);
      const place = source.read?.place ?? 'public';
      const install = {
        ...{ id, source: from, place, trusted, listing: listingOf(source) },
        requireChecksum: requireChecksum(),
      };
      return installCatalogPackage(install, tools, { report, signal });
    };
  }

  /** An update that began while its plugin was being uninstalled does not bring it back. */
  private installerFor(kind: 'install' | 'update'): Pick<PluginHost, 'install'> {
    const { host } = this.options;
    if (kind === 'install') return host;
    return {
      install: (fresh, source, signal) => {
        const make: FreshPlugin['make'] = async (directory, ending) => {
          host.get(fresh.id);
          return fresh.make(directory, ending);
        };
        return host.install({ ...fresh, make }, source, signal);
      },
    };
  }
}
