import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { api, type PluginStoreSource } from '../../contract/index.ts';
import type { TestHost } from '../test-host.ts';

/** Writes a Claude-style catalog beside the host's working directory; returns its address. */
export async function writeCatalog(
  host: TestHost,
  name: string,
  plugins: readonly object[],
): Promise<string> {
  const file = join(host.workDirectory, `${name}.json`);
  const owner = { name: 'The tests' };
  await writeFile(file, JSON.stringify({ name, owner, plugins }));
  return pathToFileURL(file).href;
}

/** Subscribes a host to such a catalog. */
export async function addCatalog(
  host: TestHost,
  name: string,
  plugins: readonly object[],
): Promise<PluginStoreSource> {
  const url = await writeCatalog(host, name, plugins);
  return host.client.call(api.store.addSource, { body: { url } });
}
