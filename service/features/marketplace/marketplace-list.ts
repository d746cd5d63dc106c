import type { MarketplacePlugin } from '../../contract/index.ts';
import { descriptorOf, type PluginHost } from '../plugins/index.ts';

/** Every installed plugin; none of them is in a catalog, so none has an update. */
export function marketplacePlugins(host: PluginHost, baseUrl: string): MarketplacePlugin[] {
  return host.list().map((plugin) => ({
    ...descriptorOf(host, plugin, baseUrl),
    keywords: [],
    sourceId: null,
    sourceName: null,
    installed: true,
    installedVersion: plugin.manifest.version,
    updateAvailable: false,
    manifest: plugin.manifest,
  }));
}
