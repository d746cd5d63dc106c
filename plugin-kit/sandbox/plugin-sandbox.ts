import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PluginConfigs } from '../../service/features/plugins/config/plugin-configs.ts';
import { embeddedPluginDatabases } from '../../service/features/plugins/databases/embedded-plugin-databases.ts';
import { FileGrants } from '../../service/features/plugins/grants/file-grants.ts';
import { GrantTree } from '../../service/features/plugins/grants/grant-tree.ts';
import { PluginFiles } from '../../service/features/plugins/grants/plugin-files.ts';
import { acceptPackage } from '../../service/features/plugins/packages/accept-package.ts';
import { PackageDirectory } from '../../service/features/plugins/packages/package-layout.ts';
import { type Plugin, PluginHost } from '../../service/features/plugins/plugin-host.ts';
import { PluginStore } from '../../service/features/plugins/plugin-store.ts';
import { findRuntimes } from '../../service/features/plugins/workers/worker-command.ts';
import type { WorkerEnvironment } from '../../service/features/plugins/workers/worker-environment.ts';
import { createIsolation, type Isolation } from '../../service/platform/isolation/isolation.ts';
import { createLog } from '../../service/platform/log.ts';
import { hostPaths, makeFolders } from '../../service/platform/paths.ts';
import { createProcesses } from '../../service/platform/processes.ts';
import { createSecrets } from '../../service/platform/secrets.ts';
import { textOf } from '../../service/messages/index.ts';

/** Options of `openPluginSandbox`. */
export interface SandboxOptions {
  /** An existing folder that nothing else uses. */
  workDirectory: string;
  locale?: string;
  /** False to run plugins without a sandbox. */
  sandboxed?: boolean;
}

/** Runs plugins as the host does. */
export interface PluginSandbox {
  host: PluginHost;
  files: PluginFiles;
  /** Returns why plugins cannot start here, as sentences; null if they can. */
  refusal(): Promise<string | null>;
  install(file: { path: string; sha256: string }): Promise<Plugin>;
  environment: WorkerEnvironment;
  close(): Promise<void>;
}

/**
 * Opens an environment that runs plugin workers in the host's sandbox, without the host's database
 * and HTTP server.
 */
export async function openPluginSandbox(options: SandboxOptions): Promise<PluginSandbox> {
  const { workDirectory, locale = 'en', sandboxed = true } = options;
  const paths = hostPaths(workDirectory);
  await makeFolders(paths);
  await mkdir(paths.pluginConfig, { recursive: true, mode: 0o700 });
  const log = createLog({ level: 'OFF', directory: null, stderr: false });
  const processes = createProcesses();
  const isolation = createIsolation(processes, { hostRoot: paths.host }, () => !sandboxed);
  const tree = new GrantTree(workDirectory);
  const files = new PluginFiles(new FileGrants(), tree, () => isolation.workerSandbox());
  const configs = await PluginConfigs.open({
    directory: paths.pluginConfig,
    secrets: createSecrets(randomUUID()),
    log,
    onUnusable: () => undefined,
    hostRoot: paths.host,
  });
  const dataDirectory = (id: string): string => join(paths.pluginData, id);
  const databases = embeddedPluginDatabases('SQLITE', dataDirectory);
  const environment: WorkerEnvironment = {
    processes,
    runtimes: findRuntimes(),
    dataDirectory,
    logLevel: () => 'DEBUG',
    locale: () => locale,
    config: async (manifest) => configs.forWorker(manifest, await isolation.workerSandbox()),
    database: (manifest, inside) => databases.variablesOf(manifest, inside),
    sandbox: () => isolation.workerSandbox(),
    refusal: () => isolation.refusal(),
    files: (manifest) => files.mounts(manifest),
  };
  const packages = new PackageDirectory(paths.plugins, paths.staging);
  const none = { plugins: [], seeded: new Map<string, string>() };
  const store = await PluginStore.open(
    join(paths.plugins, '.installed.json'),
    () => Promise.resolve(none),
    log,
  );
  const host = new PluginHost({
    packages,
    store,
    environment,
    files,
    configs,
    setDataAside: () => Promise.reject(new Error('Nothing is uninstalled here.')),
    log,
    onQuarantine: () => undefined,
    onReplaced: () => undefined,
    onCall: () => undefined,
  });
  await host.open();
  return {
    host,
    files,
    environment,
    refusal: () => refusalText(isolation),
    async install({ path, sha256 }) {
      const checksum = { claimed: sha256, required: true };
      const { plugin } = await acceptPackage({ path, sha256 }, { trust: 'shipped', checksum });
      return host.install(plugin);
    },
    async close() {
      await packages.close();
      await host.close();
      await files.close();
      await processes.close();
      await log.close();
    },
  };
}

async function refusalText(isolation: Isolation): Promise<string | null> {
  const refusal = await isolation.refusal();
  return refusal === null ? null : `${textOf(refusal.reason)} ${textOf(refusal.advice)}`;
}
