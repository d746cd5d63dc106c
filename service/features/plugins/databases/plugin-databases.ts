import type { PluginManifest } from '../../../contract/index.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { DatabaseConfig, DatabaseType } from '../../../platform/database/database-config.ts';
import type { Log } from '../../../platform/log.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import type { DataAside } from '../plugin-data.ts';

/** Dependencies of `PluginDatabases`. */
export interface PluginDatabasesOptions {
  /** The database of the host, and how it was opened. */
  database: Database;
  config: DatabaseConfig;
  secrets: Secrets;
  log: Log;
  dataDirectory: (pluginId: string) => string;
  /** Interval between attempts to delete what could not be deleted. Default: 10 minutes. */
  retryMs?: number;
}

/** The databases of plugins whose manifest says `"database": true`. */
export interface PluginDatabases {
  /** Retries failed deletions, now and at intervals. */
  start(): void;
  /**
   * Returns the variables with which the worker finds its database, which is created at the first
   * call; empty if the manifest asks for none. `inside` maps a path to the worker's view of it.
   * @throws HostError with the reason; `missing_permission` if the plugin may not use the network
   */
  variablesOf(
    manifest: PluginManifest,
    inside: (path: string) => string,
  ): Promise<Record<string, string>>;
  /**
   * Detaches the database from the plugin; the next request creates a new one. Deleting never
   * fails: what cannot be deleted now is retried later.
   */
  setAside(pluginId: string): Promise<DataAside>;
  close(): Promise<void>;
}

/** The login of a worker to its database. */
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
