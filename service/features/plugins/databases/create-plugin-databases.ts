import { databaseTypes } from '../../../platform/database/database-types.ts';
import { embeddedPluginDatabases } from './embedded-plugin-databases.ts';
import type { PluginDatabases, PluginDatabasesOptions } from './plugin-databases.ts';

/** Creates the databases of plugins in the same system as the host's own. */
export async function createPluginDatabases(
  options: PluginDatabasesOptions,
): Promise<PluginDatabases> {
  const { database, config, dataDirectory } = options;
  if (databaseTypes[database.type].embedded) {
    return embeddedPluginDatabases(database.type, dataDirectory);
  }
  // Loaded on demand, because most installations use the embedded database.
  const [{ Namespaces }, { ServerPluginDatabases }] = await Promise.all([
    import('../../../platform/database/namespaces/namespaces.ts'),
    import('./server-plugin-databases.ts'),
  ]);
  return new ServerPluginDatabases({ ...options, namespaces: new Namespaces(database, config) });
}
