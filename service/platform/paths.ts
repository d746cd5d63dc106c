import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Paths of files and folders in a working directory. */
export interface HostPaths {
  workDirectory: string;
  host: string;
  config: string;
  dataSource: string;
  machineId: string;
  /** Id of this host among those that share a database. */
  hostId: string;
  /** Address and token for developer tools. */
  developer: string;
  /** Folders that are loaded as plugins. */
  unpacked: string;
  /** Database that was used last. */
  lastDatabase: string;
  database: string;
  plugins: string;
  pluginData: string;
  /** Settings of plugins, one file each. */
  pluginConfig: string;
  staging: string;
  logs: string;
  workspace: string;
  /** Default working directory of MCP servers. */
  mcp: string;
  /** Downloaded catalogs. */
  store: string;
  /** Temporary files of an installed browser; contains no page data afterwards. */
  browser: string;
  /** Copies of the embedded database. */
  snapshots: string;
  /** A downloaded update, and the script that installs it. */
  updates: string;
}

export function hostPaths(workDirectory: string): HostPaths {
  const host = join(workDirectory, '.host');
  const config = join(host, 'config');
  return {
    workDirectory,
    host,
    config,
    dataSource: join(config, 'datasource.properties'),
    machineId: join(config, '.machineid'),
    hostId: join(config, '.hostid'),
    developer: join(host, 'dev.json'),
    unpacked: join(host, 'unpacked.json'),
    lastDatabase: join(host, 'last-database.json'),
    database: join(host, 'database'),
    plugins: join(host, 'plugins'),
    pluginData: join(host, 'plugin-data'),
    pluginConfig: join(config, 'plugins'),
    staging: join(host, 'staging'),
    logs: join(host, 'logs'),
    workspace: join(host, 'workspace'),
    mcp: join(host, 'mcp'),
    store: join(host, 'store'),
    browser: join(host, 'browser'),
    snapshots: join(host, 'backups', 'snapshots'),
    updates: join(host, 'updates'),
  };
}

/** Creates the folders that every run needs, readable only by their owner. */
export async function makeFolders(paths: HostPaths): Promise<void> {
  await mkdir(paths.host, { recursive: true, mode: 0o700 });
  const folders = [paths.config, paths.database, paths.plugins, paths.pluginData, paths.staging];
  await Promise.all(folders.map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
}
