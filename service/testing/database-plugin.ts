import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostPaths } from '../app/index.ts';
import type { InstalledPluginDescriptor } from '../contract/index.ts';
import type { DatabaseConfig } from '../platform/database/database-config.ts';
import { DataSourceFile } from '../platform/database/data-source-file.ts';
import { makeFolders } from '../platform/paths.ts';
import { createSecrets } from '../platform/secrets.ts';
import { packPlugin } from './packages.ts';
import { invoke, upload } from './sample-plugin.ts';
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts';

export const machineKey = 'machine-key-of-tests';

/** Creates a working directory whose configuration names this database. */
export async function configuredFolder(config: DatabaseConfig): Promise<string> {
  const workDirectory = await mkdtemp(join(tmpdir(), 'host-on-database-'));
  const paths = hostPaths(workDirectory);
  await makeFolders(paths);
  await new DataSourceFile(paths.dataSource, createSecrets(machineKey), workDirectory).write(
    config,
  );
  return workDirectory;
}

/** Starts the real service on this database. */
export async function startHostOn(
  config: DatabaseConfig,
  options: TestHostOptions = {},
): Promise<TestHost> {
  const workDirectory = await configuredFolder(config);
  return startTestHost({ workDirectory, machineKey, ...options });
}

/** Builds a package that requests a database; `changes` are merged into its manifest. */
export async function databasePackage(changes: Record<string, unknown> = {}): Promise<Buffer> {
  const source = await readFile(
    join(import.meta.dirname, 'workers', 'database-worker.mjs'),
    'utf8',
  );
  const worker = source.replace('MODULES', join(import.meta.dirname, '..', '..', 'package.json'));
  return packPlugin({
    manifest: {
      worker: { runtime: 'node' },
      database: true,
      permissions: ['network'],
      methods: { query: {}, variables: {}, commandLine: {} },
      ...changes,
    },
    files: { 'backend/worker.jar': null, 'backend/worker.mjs': worker },
  });
}

export async function installDatabasePlugin(
  host: TestHost,
  changes: Record<string, unknown> = {},
): Promise<InstalledPluginDescriptor> {
  return upload(host, await databasePackage(changes));
}

/** Runs statements as the worker of a plugin; returns the rows of the last one. */
export async function queryAs(
  host: TestHost,
  id: string,
  ...sql: string[]
): Promise<Record<string, unknown>[]> {
  return (await invoke(host, id, 'query', { sql })) as Record<string, unknown>[];
}

/** Variables that the host sets for a worker with a database. */
export interface DatabaseVariables {
  HOST_PLUGIN_DB_TYPE: string;
  HOST_PLUGIN_DB_URL: string;
  HOST_PLUGIN_DB_USERNAME: string;
  HOST_PLUGIN_DB_PASSWORD: string;
}

export async function variablesOf(host: TestHost, id: string): Promise<DatabaseVariables> {
  return (await invoke(host, id, 'variables')) as DatabaseVariables;
}
