/** Installed plugins: their workers, calls, logs and pages. */
import type { LogLevel, LostSecret, PluginContentNames } from '../../contract/index.ts';
import type { WasChosen } from '../../core/chosen-path.ts';
import type { Route } from '../../http/route.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseConfig } from '../../platform/database/database-config.ts';
import type { Log } from '../../platform/log.ts';
import type { HostPaths } from '../../platform/paths.ts';
import type { Sandbox } from '../../platform/isolation/sandbox.ts';
import type { Refusal } from '../../platform/isolation/refusal.ts';
import type { Processes } from '../../platform/processes.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { readdir } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { PluginConfigs, type PluginConfigsOptions } from './config/plugin-configs.ts';
import { createPluginDatabases } from './databases/create-plugin-databases.ts';
import { PackageDirectory } from './packages/package-layout.ts';
import { type Plugin, PluginHost } from './plugin-host.ts';
import { FileGrants } from './grants/file-grants.ts';
import { GrantTree } from './grants/grant-tree.ts';
import { Inspections } from './inspect/inspections.ts';
import { PluginFiles } from './grants/plugin-files.ts';
import { grantRoutes } from './grants/routes.ts';
import { SharedFiles } from './grants/shared-files.ts';
import { setDataAndDatabaseAside, setDataAside } from './plugin-data.ts';
import { type SeedReport, seedPlugins } from './plugin-seeds.ts';
import { earlierPluginRows } from './earlier-plugin-store.ts';
import { type PluginRows, PluginStore } from './plugin-store.ts';
import { pluginRoutes } from './routes.ts';
import type { PluginDatabases } from './databases/plugin-databases.ts';
import type { WorkerEnvironment } from './workers/plugin-worker.ts';
import { findRuntimes } from './workers/worker-command.ts';
import type { HostText } from '../../messages/index.ts';

export type { Plugin, PluginHost } from './plugin-host.ts';
export {
  type PackageListing,
  type PluginOrigin,
  recordName,
  writeRecord,
} from './packages/plugin-record.ts';
export { PackageDirectory } from './packages/package-layout.ts';
export { ParamChecks, schemaProblem } from './param-checks.ts';
export { type CheckedPackage, packageTexts, verifyPackage } from './packages/package-archive.ts';
export {
  fingerprintOf,
  isSignedBy,
  readPublicKey,
  signedBytes,
  type SignedPackage,
} from './packages/package-signature.ts';
export { isReservedId } from './packages/package-identity.ts';
export { manifestWarnings } from './packages/manifest-warnings.ts';
export { pageWarnings } from './packages/page-warnings.ts';
export { readManifest } from './packages/package-manifest.ts';
export {
  acceptFolder,
  type AcceptedPlugin,
  acceptPackage,
  checkChecksum,
  compareVersions,
  inspectionOf,
  maxPackageBytes,
  type PackageAcceptance,
  type PackageFile,
  refuseReservedIdentity,
} from './packages/accept-package.ts';
export { foreignKind } from './packages/foreign-kind.ts';
export { KitProgram, tailOf } from './kit/kit-program.ts';
export { missingReason } from './config/config-problems.ts';
export type { PluginConfigs } from './config/plugin-configs.ts';
export type { Shared, SharedFiles, SharedSource } from './grants/shared-files.ts';
export { descriptorOf } from './plugin-views.ts';
export { sizeOfTree } from '../../platform/trees/tree-size.ts';

/** The plugins, their settings and the files shared with them. `close` ends all workers. */
export interface PluginsFeature {
  host: PluginHost;
  configs: PluginConfigs;
  /** Files for all plugins that can use them. */
  shared: SharedFiles;
  /** Returns the folder that receives such files. */
  incoming: () => Promise<string>;
  seeds: SeedReport;
  lostSecrets(): LostSecret[];
  routes: Route[];
  /** Ends all debugging sessions. */
  refuseDebuggers: () => void;
  close(): Promise<void>;
}

/** Dependencies of the plugins feature, and the listeners for events of plugins. */
export interface PluginsOptions {
  database: Database;
  /** How the database was opened. */
  databaseConfig: DatabaseConfig;
  /** Encrypts the settings of plugins, which are files of this machine. */
  secrets: Secrets;
  /** Encrypts the passwords of plugins' databases. */
  databaseSecrets: Secrets;
  processes: Processes;
  /** Returns the sandbox for workers. */
  sandbox: () => Promise<Sandbox>;
  /**
   * Returns the reason why a worker that did not ship with the host must not start, null if it may.
   */
  refusal: () => Promise<Refusal | null>;
  paths: HostPaths;
  log: Log;
  logLevel: () => LogLevel;
  locale: () => string;
  isDeveloperMode: () => boolean;
  baseUrl: () => string;
  frameAncestors: () => string[];
  wasChosen: WasChosen;
  /** Folder of the built bridge scripts. */
  bridgeDirectory: string;
  /** Folder of the packages that ship with the host. */
  seedDirectory: string;
  contentsOf: (plugin: Plugin) => Promise<PluginContentNames | undefined>;
  onQuarantine: (plugin: Plugin, crashes: number, reason: HostText) => void;
  onUnusableSetting: PluginConfigsOptions['onUnusable'];
  onReplaced: (id: string) => void;
  onCall: (plugin: Plugin, outcome: string, seconds: number) => void;
}

export async function createPlugins(options: PluginsOptions): Promise<PluginsFeature> {
  const { paths, log, onQuarantine, onCall, database, databaseConfig, secrets } = options;
  const dataDirectory = (id: string): string => join(paths.pluginData, id);
  const store = await openStore(options);
  const databases = await createPluginDatabases({
    database,
    config: databaseConfig,
    secrets: options.databaseSecrets,
    log,
    dataDirectory,
  });
  const tree = new GrantTree(paths.workDirectory);
  await tree.sweep().catch((error: unknown) => {
    log.warn('plugins', `Granted files of an earlier run cannot be deleted: ${String(error)}`);
  });
  const files = new PluginFiles(new FileGrants(), tree, options.sandbox);
  const packages = new PackageDirectory(paths.plugins, paths.staging);
  const configs = await PluginConfigs.open({
    directory: paths.pluginConfig,
    secrets,
    log,
    onUnusable: options.onUnusableSetting,
    hostRoot: paths.host,
  });
  const abortController = new AbortController();
  const environment = environmentOf(options, { configs, databases, files, dataDirectory });
  const host: PluginHost = new PluginHost({
    packages,
    store,
    environment: { ...environment, inspection: (manifest) => inspections.of(manifest) },
    files,
    configs,
    setDataAside: (id) =>
      setDataAndDatabaseAside(
        () => databases.setAside(id),
        () => setDataAside(dataDirectory(id), paths.staging, abortController.signal),
      ),
    log,
    onQuarantine,
    onReplaced: options.onReplaced,
    onCall,
  });
  const { isDeveloperMode } = options;
  const inspections: Inspections = new Inspections({ host, environment, isDeveloperMode, log });
  await host.open();
  const seeds = await seedPlugins(host, store, options.seedDirectory, log);
  databases.start();
  return {
    host,
    configs,
    shared: sharedFiles(host, files, tree, options),
    incoming: () => files.incoming(),
    seeds,
    lostSecrets: () => host.list().flatMap(({ manifest }) => configs.lostOf(manifest)),
    routes: routesOf(host, files, { ...options, dataDirectory, inspections }),
    refuseDebuggers: () => inspections.refuse(),
    async close() {
      abortController.abort();
      await inspections.close();
      await packages.close();
      await host.close();
      await files.close();
      await databases.close();
    },
  };
}

/** The file that lists the plugins of a working directory. Package names never start with a dot. */
const storeFile = '.installed.json';

function openStore(options: PluginsOptions): Promise<PluginStore> {
  const { paths, database, databaseConfig, log } = options;
  const earlier = async (): Promise<PluginRows> => {
    const entries = await readdir(paths.plugins, { withFileTypes: true });
    const hasPackages = entries.some((entry) => entry.isDirectory());
    const ownsDatabase = isBelow(paths.workDirectory, databaseConfig.filePath);
    return earlierPluginRows(database, { seeded: hasPackages || ownsDatabase });
  };
  return PluginStore.open(join(paths.plugins, storeFile), earlier, log);
}

function isBelow(folder: string, file: string | undefined): boolean {
  if (file === undefined) return false;
  const path = relative(folder, file);
  return !path.startsWith('..') && !isAbsolute(path);
}

interface EnvironmentParts {
  configs: PluginConfigs;
  databases: PluginDatabases;
  files: PluginFiles;
  dataDirectory: (id: string) => string;
}

/** Creates the environment of workers. */
function environmentOf(
  { processes, logLevel, locale, sandbox, refusal }: PluginsOptions,
  { configs, databases, files, dataDirectory }: EnvironmentParts,
): WorkerEnvironment {
  return {
    processes,
    runtimes: findRuntimes(),
    dataDirectory,
    logLevel,
    locale,
    config: async (manifest) => configs.forWorker(manifest, await sandbox()),
    database: (manifest, inside) => databases.variablesOf(manifest, inside),
    sandbox,
    refusal,
    files: (manifest) => files.mounts(manifest),
  };
}

function routesOf(
  host: PluginHost,
  files: PluginFiles,
  options: PluginsOptions & { dataDirectory: (id: string) => string; inspections: Inspections },
): Route[] {
  return [
    ...pluginRoutes({ ...options, host }),
    ...grantRoutes({
      files,
      manifestOf: (id) => host.get(id).manifest,
      wasChosen: options.wasChosen,
      onNative: (id) => host.restartWorker(id),
    }),
  ];
}

/** Plugins from git have no worker that could use a file. */
function sharedFiles(
  host: PluginHost,
  files: PluginFiles,
  tree: GrantTree,
  { wasChosen, paths }: PluginsOptions,
): SharedFiles {
  const withWorker = (): Plugin[] =>
    host.list().filter(({ enabled, origin }) => enabled && origin === null);
  return new SharedFiles({
    files,
    tree,
    wasChosen,
    hostRoot: paths.host,
    plugins: () => withWorker().map(({ manifest }) => manifest),
    restart: (id) => host.restartWorker(id),
  });
}
