import type { PluginManifest } from '../../../contract/index.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { DatabaseConfig, DatabaseType } from '../../../platform/database/database-config.ts';
import type { Log } from '../../../platform/log.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import type { DataAside } from '../plugin-data.ts';

/** Dependencies of `PluginDatabases`. */
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

/** The databases of plugins whose manifest says `"database": true`. */
export interface PluginDatabases {
  /** Deletes what could not be deleted before, now and from time to time. */
  start(): void;
  /**
   * What leads the worker to its database, which is made when it is first asked for; nothing where
   * the manifest asks for none. `inside` tells how the worker sees a path.
   * @throws HostError with the reason; `missing_permission` where the plugin may not use the network
   */
  variablesOf(
    manifest: PluginManifest,
    inside: (path: string) => string,
  ): Promise<Record<string, string>>;
  /**
   * Takes the database away from the plugin, which gets a new one when it asks again. Deleting never
   * fails: what cannot be deleted now is tried again later.
   */
  setAside(pluginId: string): Promise<DataAside>;
  close(): Promise<void>;
}

/** How a worker gets to its database. */
export interface DatabaseLogin {
  type: DatabaseType;
  jdbcUrl: string;
  username: string;
  password: string;
}

export function databaseVariables(login: DatabaseLogin): Record<string, string> {
  return {
    HOST_PLUGIN_DB_TYPE: login.type,
    HOST_PLUGIN_DB_URL: login.jdbcUrl,
    HOST_PLUGIN_DB_USERNAME: login.username,
    HOST_PLUGIN_DB_PASSWORD: login.password,
  };
}
