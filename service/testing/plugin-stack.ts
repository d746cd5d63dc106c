import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Contributions, createContributions } from '../features/contributions/index.ts';
import {
  createPlugins,
  type Plugin,
  type PluginConfigs,
  type PluginHost,
} from '../features/plugins/index.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { migrate } from '../platform/database/migrate.ts';
import { passthroughSandbox } from '../platform/isolation/sandbox.ts';
import { createLog } from '../platform/log.ts';
import { hostPaths, makeFolders } from '../platform/paths.ts';
import { createProcesses } from '../platform/processes.ts';
import { createSecrets } from '../platform/secrets.ts';
import { sqliteDatabase } from './database-servers/index.ts';
import { acceptedFile } from './accepted-file.ts';
import { writePackage } from './packages.ts';
import { testEngines } from './test-engines.ts';

/** Plugins without an HTTP server. */
export interface PluginStack {
  host: PluginHost;
  contributions: Contributions;
  configs: PluginConfigs;
  dataDirectory: (id: string) => string;
  /** Installs a package with these files; the default id is `acme.demo`. */
  install(files: Record<string, string>, id?: string): Promise<Plugin>;
}

/**
 * Opens installed plugins and their contributions, on SQLite and without HTTP, until the test ends.
 */
export async function pluginStack(): Promise<PluginStack> {
  const workDirectory = await realpath(await mkdtemp(join(tmpdir(), 'plugin-stack-')));
  const paths = hostPaths(workDirectory);
  await makeFolders(paths);
  const made = await sqliteDatabase.make();
  const database = await openDatabase(made.config, testEngines);
  await migrate(database);
  const processes = createProcesses();
  const log = createLog({ level: 'INFO', directory: null, stderr: false });
  const plugins = await createPlugins({
    database,
    databaseConfig: made.config,
    processes,
    paths,
    log,
    secrets: createSecrets('a machine key for tests'),
    databaseSecrets: createSecrets('a machine key for tests'),
    sandbox: () => Promise.resolve(passthroughSandbox),
    refusal: () => Promise.resolve(null),
    logLevel: () => 'INFO',
    isDeveloperMode: () => false,
    locale: () => 'en',
    baseUrl: () => 'http://127.0.0.1',
    frameAncestors: () => [],
    wasChosen: null,
    bridgeDirectory: workDirectory,
    seedDirectory: join(workDirectory, 'no-plugins'),
    contentsOf: () => Promise.resolve(undefined),
    onUnusableSetting: () => undefined,
    onQuarantine: () => undefined,
    onReplaced: () => undefined,
    onCall: () => undefined,
  });
  onTestFinished(async () => {
    await plugins.close();
    await processes.close();
    await database.close();
    await made.cleanUp();
    await rm(workDirectory, { recursive: true, force: true });
  });
  const { host, configs } = plugins;
  return {
    host,
    configs,
    contributions: createContributions(database, host, log).contributions,
    dataDirectory: (id) => join(paths.pluginData, id),
    async install(files, id = 'acme.demo') {
      const file = join(workDirectory, 'upload.plugin');
      await writePackage(file, { manifest: { id }, files });
      return host.install(await acceptedFile(file));
    },
  };
}
