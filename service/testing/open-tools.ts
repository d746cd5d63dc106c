import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WritableSettings } from '../contract/index.ts';
import { createPlugins, type Plugin, type PluginHost } from '../features/plugins/index.ts';
import {
  createTools,
  type ToolResult,
  type ToolRun,
  type ToolsFeature,
} from '../features/tools/index.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { ChromiumEngine } from '../platform/browser/chromium/chromium-engine.ts';
import { findComputer } from '../platform/computer/find-computer.ts';
import { createIsolation } from '../platform/isolation/isolation.ts';
import { createLog } from '../platform/log.ts';
import { type HostPaths, hostPaths, makeFolders } from '../platform/paths.ts';
import { createProcesses, type Processes } from '../platform/processes.ts';
import { createSecrets } from '../platform/secrets.ts';
import { acceptedFile } from './accepted-file.ts';

/** Tools without an HTTP server. */
export interface OpenTools extends ToolsFeature {
  plugins: PluginHost;
  paths: HostPaths;
  /** Tests may change it. */
  settings: WritableSettings;
  clock: { nowMs: number };
  /** Calls a tool in the sandbox, unless `run` overrides it. */
  call(name: string, input: unknown, run?: Partial<ToolRun>): Promise<ToolResult>;
  /** Calls a tool and parses its output as JSON. */
  json(name: string, input: unknown, run?: Partial<ToolRun>): Promise<Record<string, unknown>>;
  install(bytes: Buffer): Promise<Plugin>;
}

const noDisplay = (processes: Processes) =>
  findComputer(
    { platform: 'linux', display: null, wayland: null, own: null, language: () => 'en' },
    processes,
  );

let calls = 0;

/**
 * Opens the tools of a host without HTTP, on SQLite in a temporary folder, with the machine's
 * sandbox.
 */
export async function openTools(webAllow: readonly string[] = []): Promise<OpenTools> {
  const folder = await mkdtemp(join(tmpdir(), 'test-tools-'));
  const paths = hostPaths(folder);
  await makeFolders(paths);
  const databaseConfig = { type: 'SQLITE', filePath: join(folder, 'host.db') } as const;
  const database = await openDatabase(databaseConfig);
  await migrate(database);
  const log = createLog({ level: 'OFF', directory: null, stderr: false });
  const processes = createProcesses();
  const isolation = createIsolation(processes, { hostRoot: paths.host }, () => true);
  const settings = WritableSettings.parse({});
  const clock = { nowMs: Date.now() };
  const plugins = await createPlugins({
    database,
    databaseConfig,
    processes,
    paths,
    log,
    secrets: createSecrets('a machine key of tests'),
    databaseSecrets: createSecrets('a machine key of tests'),
    sandbox: () => isolation.workerSandbox(),
    refusal: () => isolation.refusal(),
    logLevel: () => 'OFF',
    isDeveloperMode: () => false,
    locale: () => 'en',
    baseUrl: () => 'http://127.0.0.1',
    frameAncestors: () => [],
    wasChosen: null,
    bridgeDirectory: folder,
    seedDirectory: join(folder, 'no-plugins'),
    contentsOf: () => Promise.resolve(undefined),
    onUnusableSetting: () => undefined,
    onQuarantine: () => undefined,
    onReplaced: () => undefined,
    onCall: () => undefined,
  });
  const tools = createTools({
    database,
    processes,
    paths,
    log,
    plugins: plugins.host,
    webAllow,
    browser: new ChromiumEngine({ processes, log, named: null, directory: paths.browser }),
    computer: noDisplay(processes),
    commandSandbox: () => isolation.commandSandbox(),
    settings: () => settings,
    nowMs: () => clock.nowMs,
  });
  const call: OpenTools['call'] = (name, input, run) => {
    const callId = `call-${(calls += 1)}`;
    const signal = new AbortController().signal;
    return tools.catalog.run(name, input, { callId, signal, sandboxed: true, ...run });
  };
  return {
    ...tools,
    plugins: plugins.host,
    paths,
    settings,
    clock,
    call,
    json: async (name, input, run) =>
      JSON.parse((await call(name, input, run)).output) as Record<string, unknown>,
    async install(bytes) {
      const file = join(folder, 'upload.plugin');
      await writeFile(file, bytes);
      return plugins.host.install(await acceptedFile(file));
    },
    async close() {
      await tools.close();
      await plugins.close();
      await processes.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
