import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where things lie below a working directory. */
export interface HostPaths {
  workDirectory: string;
  host: string;
  config: string;
  dataSource: string;
  machineId: string;
  /** The id of this host among those that share a database. */
  hostId: string;
  /** How tools of developers reach the host. */
  developer: string;
  /** The folders that are loaded as plugins. */
  unpacked: string;
  /** Which database was used last. */
  lastDatabase: string;
  database: string;
  plugins: string;
  pluginData: string;
  /** Settings that people gave to plugins, one file each. */
  pluginConfig: string;
  staging: string;
  logs: string;
  workspace: string;
  /** Where MCP servers run that name no folder of their own. */
  mcp: string;
  /** Catalogues as they were last read. */
  store: string;
  /** What an installed browser needs while it runs; nothing of a page is kept there. */
  browser: string;
  /** Copies of the embedded database. */
  snapshots: string;
  /** An update that was downloaded, and what puts it in place. */
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

/** Makes the folders that every run needs, readable for their owner only. */
export async function makeFolders(paths: HostPaths): Promise<void> {
  await mkdir(paths.host, { recursive: true, mode: 0o700 });
  const folders = [paths.config, paths.database, paths.plugins, paths.pluginData, paths.staging];
  await Promise.all(folders.map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
}
