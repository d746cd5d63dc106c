import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { api, type PluginStoreSource } from '../../contract/index.ts';
import type { TestHost } from '../test-host.ts';
import type { StaticServer } from './static-server.ts';

/** A source of the store whose catalog can change. */
export interface Subscribed {
  source: PluginStoreSource;
  /** Writes the catalog again and refreshes the source. */
  change(plugins: readonly Entry[], more?: Record<string, unknown>): Promise<PluginStoreSource>;
}

/** A plugin in the catalog. */
export interface Entry {
  name: string;
  source: unknown;
  [field: string]: unknown;
}

/** Adds a source with a catalog of this name and these entries, as a file or on the server. */
export async function subscribed(
  host: TestHost,
  name: string,
  plugins: readonly Entry[],
  web?: StaticServer,
): Promise<Subscribed> {
  const file = join(host.workDirectory, `${name}.json`);
  const url = web ? `${web.baseUrl}/${name}.json` : pathToFileURL(file).href;
  const publish = async (text: string): Promise<void> => {
    if (web) web.files.set(`/${name}.json`, text);
    else await writeFile(file, text);
  };
  await publish(catalogue(name, plugins));
  const source = await host.client.call(api.store.addSource, { body: { url } });
  return {
    source,
    async change(now, more) {
      await publish(catalogue(name, now, more));
      return host.client.call(api.store.refreshSource, { params: { id: source.id } });
    },
  };
}

/** Returns the text of a `.claude-plugin/marketplace.json`. */
export function catalogue(
  name: string,
  plugins: readonly Entry[],
  more: Record<string, unknown> = {},
): string {
  return JSON.stringify({ name, owner: { name: 'Test' }, plugins, ...more });
}
