import type { Database } from '../../../platform/database/database.ts';
import type { DatabaseConfig } from '../../../platform/database/database-config.ts';
import { databaseTypes } from '../../../platform/database/database-types.ts';
import type { Log } from '../../../platform/log.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { embeddedPluginDatabases } from './embedded-plugin-databases.ts';
import type { PluginDatabases } from './plugin-databases.ts';

export interface PluginDatabasesOptions {
  /** The host's own, and how it was opened. */
  database: Database;
  config: DatabaseConfig;
  secrets: Secrets;
  log: Log;
  dataDirectory: (pluginId: string) => string;
  /** How often what could not be deleted is tried again. Default: 10 minutes. */
  retryMs?: number;
}

/** Plugins have their databases where the host has its own. */
export async function createPluginDatabases(
  options: PluginDatabasesOptions,
): Promise<PluginDatabases> {
  const { database, config, dataDirectory } = options;
  if (databaseTypes[database.type].embedded) {
    return embeddedPluginDatabases(database.type, dataDirectory);
  }
  // Loaded when it is needed: most installations use the embedded database.
  const [{ Namespaces }, { ServerPluginDatabases }] = await Promise.all([
    import('../../../platform/database/namespaces/namespaces.ts'),
    import('./server-plugin-databases.ts'),
  ]);
  return new ServerPluginDatabases({ ...options, namespaces: new Namespaces(database, config) });
}
