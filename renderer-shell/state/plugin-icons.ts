import type { Client } from '../../service/client/index.ts';
import { api, type MarketplacePlugin } from '../../service/contract/index.ts';

/** A larger one is not shown. */
const maxBytes = 256 * 1024;
/** Below `ui/`, which may be left out. */
const imagePath = /^(?:ui\/)?([^\s/:][^\s:]*\.(?:svg|png|jpe?g|webp|gif))$/i;

export type IconOwner = Pick<MarketplacePlugin, 'id' | 'name'> &
  Partial<Pick<MarketplacePlugin, 'icon' | 'installed' | 'enabled' | 'installedVersion'>>;

export interface PluginIcons {
  /** The address of the image, null where the plugin brings none that can be shown. */
  find(plugin: IconOwner): Promise<string | null>;
  close(): void;
}

/** The images that installed plugins bring as icons, each fetched once for a version. */
export function createPluginIcons(client: Client): PluginIcons {
  const known = new Map<string, Promise<string | null>>();

  async function fetchIcon(id: string, path: string): Promise<string | null> {
    const params = { id, file: path.split('/') };
    const response = await client.open(api.plugins.asset, { params });
    const blob = await response.blob();
    const isShown = blob.type.startsWith('image/') && blob.size <= maxBytes;
    return isShown ? URL.createObjectURL(blob) : null;
  }

  return {
    find({ id, icon = '', installed = false, enabled = false, installedVersion }) {
      const path = imagePath.exec(icon)?.[1];
      // The files of one that is disabled are not served.
      if (path === undefined || !installed || !enabled) return Promise.resolve(null);
      const key = `${id} ${installedVersion ?? ''} ${path}`;
      const found = known.get(key) ?? fetchIcon(id, path).catch(() => null);
      known.set(key, found);
      return found;
    },
    close() {
      for (const found of known.values())
        void found.then((url) => (url === null ? undefined : URL.revokeObjectURL(url)));
      known.clear();
    },
  };
}
