import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogLevel, PluginManifest } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { databaseProblem } from '../../../platform/database/database-problem.ts';
import { processEnvironment } from '../../../platform/process-environment.ts';
import type { Sandbox, Mount } from '../../../platform/isolation/sandbox.ts';
import type { Refusal } from '../../../platform/isolation/refusal.ts';
import type { OwnedProcess, Processes } from '../../../platform/processes.ts';
import type { WorkerConfig } from '../config/plugin-configs.ts';
import type { Command } from '../inspect/inspected-command.ts';
import type { WorkerInspection } from '../inspect/inspection.ts';
import { workerSandbox } from './worker-sandbox.ts';
import { type Runtimes, workerCommand, workerEntry, type WorkerPlugin } from './worker-command.ts';
import { rpcCodes, WorkerError } from './worker-error.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';

/** The resources that the host provides to every worker. */
export interface WorkerEnvironment {
  processes: Processes;
  runtimes: Runtimes;
  /** Returns an absolute path; the folder is created when the worker starts. */
  dataDirectory(id: string): string;
  logLevel(): LogLevel;
  /** A language tag such as `en`. */
  locale(): string;
  /** Returns the `userConfig` values for `host.initialize`, and the files among them. */
  config(manifest: PluginManifest): Promise<WorkerConfig>;
  /**
   * Returns the variables of the plugin's own database, if its manifest asks for one; `inside` maps
   * a path to the worker's view of it. Rejects with the reason.
   */
  database(
    manifest: PluginManifest,
    inside: (path: string) => string,
  ): Promise<Record<string, string>>;
  sandbox(): Promise<Sandbox>;
  /** Returns the reason why only workers of official plugins start, null if all may. */
  refusal(): Promise<Refusal | null>;
  /** Returns the debugging session of a plugin, if there is one. */
  inspection?(manifest: PluginManifest): WorkerInspection | undefined;
  /** Returns the granted files. */
  files(manifest: PluginManifest): Promise<readonly Mount[]>;
}

/** A started worker process. */
export interface StartedWorker {
  process: OwnedProcess;
  /** The path as the worker sees it. */
  dataDirectory: string;
}

const runtimeMissing = {
  java: (name: string) => msg('plugins.needsJava', { name }),
  node: (name: string) => msg('plugins.needsNode', { name }),
};

/**
 * Starts the process of a worker in its data directory. `chosen` are the files in its settings;
 * `inspection` is its debugging session, with the programs that it needs.
 * @throws WorkerError `sandbox-unavailable`, `missing-runtime`, `missing-permission` or
 * `could-not-start`
 */
export async function startWorkerProcess(
  plugin: WorkerPlugin,
  environment: WorkerEnvironment,
  chosen: readonly Mount[] = [],
  inspection?: WorkerInspection,
): Promise<StartedWorker> {
  const { runtime } = plugin.manifest.worker;
  const { name } = plugin.manifest;
  await requireConsent(plugin, environment);
  const runtimePath = await environment.runtimes[runtime]();
  if (runtimePath === null) {
    throw new WorkerError('missing-runtime', rpcCodes.crashed, runtimeMissing[runtime](name));
  }
  const entry = workerEntry(plugin.manifest);
  const file = await stat(join(plugin.directory, entry)).catch(() => undefined);
  if (file?.isFile() !== true) {
    throw couldNotStart(name, msg('plugins.packageFileMissing', { path: entry }));
  }
  const cwd = environment.dataDirectory(plugin.id);
  try {
    await mkdir(cwd, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw couldNotStart(name, msg('plugins.dataFolderFailed', { code: errorCode(error) ?? 'EIO' }));
  }
  const sandbox = await environment.sandbox();
  const files = [...(await environment.files(plugin.manifest)), ...chosen];
  const { sandboxSpec, runtime: realRuntime } = await workerSandbox(
    plugin,
    cwd,
    runtimePath,
    files,
  );
  const inside = (path: string): string => sandbox.inside(sandboxSpec, path);
  const database = await environment.database(plugin.manifest, inside).catch((error: unknown) => {
    throw noDatabase(name, error);
  });
  const seen = { ...plugin, directory: inside(plugin.directory) };
  const plain = workerCommand(seen, inside(realRuntime));
  const command = await withDebugger(plain, inspection, inside);
  const dataDirectory = inside(cwd);
  const variables = workerVariables(plugin.id, dataDirectory, environment.logLevel());
  // The person may have changed their consent during the preparations.
  await requireConsent(plugin, environment);
  if ((await environment.sandbox()) !== sandbox)
    throw couldNotStart(name, msg('plugins.sandboxChanging'));
  try {
    const env = { ...variables, ...database };
    const spec = { ...command, cwd, env, withDebugPipe: inspection !== undefined };
    return {
      process: await environment.processes.spawn(sandbox.wrap(spec, sandboxSpec)),
      dataDirectory,
    };
  } catch (error) {
    throw couldNotStart(name, error instanceof HostError ? error.text : systemError(error));
  }
}

const withDebugger = async (
  command: Command,
  inspection: WorkerInspection | undefined,
  inside: (path: string) => string,
): Promise<Command> => (inspection === undefined ? command : inspection.wrap(command, inside));

/** Without a sandbox, only plugins that ship with the host start before the person has agreed. */
async function requireConsent(plugin: WorkerPlugin, environment: WorkerEnvironment): Promise<void> {
  const refusal = plugin.official ? null : await environment.refusal();
  if (refusal !== null) throw refused(plugin.manifest.name, refusal);
}

/**
 * Returns all environment variables that a worker receives, from the host's environment and from
 * the host itself.
 */
export function workerVariables(
  pluginId: string,
  dataDirectory: string,
  logLevel: LogLevel,
  own?: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return {
    ...processEnvironment(own),
    HOST_LOG_LEVEL: logLevel,
    HOST_PLUGIN_ID: pluginId,
    HOST_PLUGIN_DATA: dataDirectory,
  };
}

function refused(name: string, { reason, advice }: Refusal): WorkerError {
  const message = msg('plugins.notIsolated', { name, reason, advice });
  return new WorkerError('sandbox-unavailable', rpcCodes.crashed, message);
}

function noDatabase(name: string, error: unknown): WorkerError {
  const hostError = error instanceof HostError ? error : databaseProblem(error);
  const startError = couldNotStart(name, hostError?.text ?? msg('plugins.databaseFailed'));
  if (hostError?.code !== 'missing_permission') return startError;
  return new WorkerError('missing-permission', startError.rpcCode, startError.text);
}

/** `reason`: a sentence. */
export function couldNotStart(name: string, reason: HostText): WorkerError {
  const message = msg('plugins.couldNotStart', { name, reason });
  return new WorkerError('could-not-start', rpcCodes.crashed, message);
}

/** Returns the system's error code, without the paths in its message. */
const errorCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error ? String(error.code) : null;

function systemError(error: unknown): Message {
  const code = errorCode(error);
  return code === null ? msg('plugins.reasonUnknown') : msg('plugins.systemError', { code });
}
