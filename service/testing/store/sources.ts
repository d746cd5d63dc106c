import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import {
  api,
  type MarketplacePlugin,
  type NewSource,
  type PluginStoreSource,
} from '../../contract/index.ts';
import type { TestHost } from '../test-host.ts';

type Called = Pick<TestHost, 'client'>;

export const addSource = (host: Called, body: NewSource): Promise<PluginStoreSource> =>
  host.client.call(api.store.addSource, { body });

export const refreshSource = (host: Called, id: string): Promise<PluginStoreSource> =>
  host.client.call(api.store.refreshSource, { params: { id } });

export const removeSource = (host: Called, id: string): Promise<unknown> =>
  host.client.call(api.store.removeSource, { params: { id } });

export const setSource = (host: Called, id: string, enabled: boolean): Promise<PluginStoreSource> =>
  host.client.call(api.store.setSourceEnabled, { params: { id }, body: { enabled } });

/** Returns a source as in the list. */
export async function sourceOf(host: Called, id: string): Promise<PluginStoreSource | undefined> {
  return (await host.client.call(api.store.sources)).find((one) => one.id === id);
}

/** Returns all entries of the grid, or those of one source. */
export async function gridOf(host: Called, sourceId?: string): Promise<MarketplacePlugin[]> {
  const grid = await host.client.call(api.market.list);
  return sourceId === undefined ? grid : grid.filter((one) => one.sourceId === sourceId);
}

/** Returns a Claude-style catalog whose plugins are beside it. */
export const claudeCatalog = (name: string, plugins: readonly string[]): string =>
  JSON.stringify({
    name,
    owner: { name: 'The tests' },
    plugins: plugins.map((plugin) => ({ name: plugin, source: `./${plugin}` })),
  });

/** Returns a catalog in the agents format. */
export const agentsCatalog = (name: string, plugins: readonly string[]): string =>
  JSON.stringify({
    name,
    interface: { displayName: name },
    plugins: plugins.map((plugin) => ({
      name: plugin,
      source: { source: 'local', path: `./${plugin}` },
      policy: { installation: 'AVAILABLE' },
    })),
  });

/** Writes a file and returns its address. */
export async function writeAt(file: string, content: string | Buffer): Promise<string> {
  await writeFile(file, content);
  return pathToFileURL(file).href;
}
