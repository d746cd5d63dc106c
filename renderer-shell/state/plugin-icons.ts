import type { Client } from '../../service/client/index.ts';
import { api, type MarketplacePlugin } from '../../service/contract/index.ts';

/** Larger images are not shown. */
const maxBytes = 256 * 1024;
/** Relative to `ui/`, which may be omitted. */
const imagePath = /^(?:ui\/)?([^\s/:][^\s:]*\.(?:svg|png|jpe?g|webp|gif))$/i;

export type IconOwner = Pick<MarketplacePlugin, 'id' | 'name'> &
  Partial<Pick<MarketplacePlugin, 'icon' | 'installed' | 'enabled' | 'installedVersion'>>;

/** Loads the icons of plugins. */
export interface PluginIcons {
  /** Returns the address of the image; null if the plugin has none that can be shown. */
  find(plugin: IconOwner): Promise<string | null>;
  close(): void;
}

/** Creates the loader for icons of installed plugins; each is fetched once per version. */
export function createPluginIcons(client: Client): PluginIcons {
  const cache = new Map<string, Promise<string | null>>();

  async function fetchIcon(id: string, path: string): Promise<string | null> {
    const params = { id, file: path.split('/') };
    const response = await client.open(api.plugins.asset, { params });
    const blob = await response.blob();
    const isDisplayable = blob.type.startsWith('image/') && blob.size <= maxBytes;
    return isDisplayable ? URL.createObjectURL(blob) : null;
  }

  return {
    find({ id, icon = '', installed = false, enabled = false, installedVersion }) {
      const path = imagePath.exec(icon)?.[1];
      // The host does not serve files of disabled plugins.
      if (path === undefined || !installed || !enabled) return Promise.resolve(null);
      const key = `${id} ${installedVersion ?? ''} ${path}`;
      const found = cache.get(key) ?? fetchIcon(id, path).catch(() => null);
      cache.set(key, found);
      return found;
    },
    close() {
      for (const found of cache.values())
        void found.then((url) => (url === null ? undefined : URL.revokeObjectURL(url)));
      cache.clear();
    },
  };
}
