import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogLevel, PluginManifest } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { databaseProblem } from '../../../platform/database/database-problem.ts';
import { processEnvironment } from '../../../platform/process-environment.ts';
import type { Boxing, Mount } from '../../../platform/isolation/box.ts';
import type { Refusal } from '../../../platform/isolation/refusal.ts';
import type { OwnedProcess, Processes } from '../../../platform/processes.ts';
import type { WorkerConfig } from '../config/plugin-configs.ts';
import { workerBox } from './worker-box.ts';
import { type Runtimes, workerCommand, workerEntry, type WorkerPlugin } from './worker-command.ts';
import { rpcCodes, WorkerFault } from './worker-fault.ts';

/** What the host gives every worker. */
export interface WorkerEnvironment {
  processes: Processes;
  runtimes: Runtimes;
  /** Absolute; made when the worker starts. */
  dataDirectory(id: string): string;
  logLevel(): LogLevel;
  /** A language tag such as `en`. */
  locale(): string;
  /** Of the plugin's `userConfig`: values for `host.initialize`, and the files among them. */
  config(manifest: PluginManifest): Promise<WorkerConfig>;
  /**
   * Variables of the plugin's own database, where its manifest asks for one; `inside` tells how the
   * worker sees a path. Rejects with the reason.
   */
  database(
    manifest: PluginManifest,
    inside: (path: string) => string,
  ): Promise<Record<string, string>>;
  boxing(): Promise<Boxing>;
  /** Why no worker starts but those of official plugins; null where all may. */
  refusal(): Promise<Refusal | null>;
  /** The granted files. */
  files(manifest: PluginManifest): Promise<readonly Mount[]>;
}

export interface StartedWorker {
  process: OwnedProcess;
  /** As the worker sees it. */
  dataDirectory: string;
}

const installAdvice = {
  java: 'needs Java 17 or newer, which was not found. Install a Java runtime, and put `java` on the PATH or set JAVA_HOME',
  node: 'needs Node.js 22 or newer, which was not found. Install Node.js, and put `node` on the PATH',
};

/**
 * Starts the process of a worker in its data directory; `chosen` are the files in its settings.
 * @throws WorkerFault `sandbox-unavailable`, `missing-runtime`, `missing-permission` or `could-not-start`
 */
export async function startWorkerProcess(
  plugin: WorkerPlugin,
  environment: WorkerEnvironment,
  chosen: readonly Mount[] = [],
): Promise<StartedWorker> {
  const { runtime } = plugin.manifest.worker;
  const { name } = plugin.manifest;
  await requireWord(plugin, environment);
  const runtimePath = await environment.runtimes[runtime]();
  if (runtimePath === null) {
    const message = `${name} ${installAdvice[runtime]}; then try again.`;
    throw new WorkerFault('missing-runtime', rpcCodes.crashed, message);
  }
  const entry = workerEntry(plugin.manifest);
  const file = await stat(join(plugin.directory, entry)).catch(() => undefined);
  if (file?.isFile() !== true) {
    throw couldNotStart(name, `its package has no file ${entry}. Install the plugin again`);
  }
  const cwd = environment.dataDirectory(plugin.id);
  try {
    await mkdir(cwd, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw couldNotStart(name, `its data directory cannot be made (${errorCode(error)})`);
  }
  const boxing = await environment.boxing();
  const files = [...(await environment.files(plugin.manifest)), ...chosen];
  const { box, runtime: realRuntime } = await workerBox(plugin, cwd, runtimePath, files);
  const inside = (path: string): string => boxing.inside(box, path);
  const database = await environment.database(plugin.manifest, inside).catch((error: unknown) => {
    throw noDatabase(name, error);
  });
  const seen = { ...plugin, directory: inside(plugin.directory) };
  const { program, args } = workerCommand(seen, inside(realRuntime));
  const dataDirectory = inside(cwd);
  const variables = workerVariables(plugin.id, dataDirectory, environment.logLevel());
  // The person may have taken the word back, or given it, while all of this was made ready.
  await requireWord(plugin, environment);
  if ((await environment.boxing()) !== boxing)
    throw couldNotStart(name, 'the sandbox of plugins is switched on or off; call again');
  try {
    const spec = { program, args, cwd, env: { ...variables, ...database } };
    return { process: await environment.processes.spawn(boxing.wrap(spec, box)), dataDirectory };
  } catch (error) {
    throw couldNotStart(name, error instanceof HostError ? error.message : errorCode(error));
  }
}

/** Without a sandbox only what came with the host starts before the person has said so. */
async function requireWord(plugin: WorkerPlugin, environment: WorkerEnvironment): Promise<void> {
  const refusal = plugin.official ? null : await environment.refusal();
  if (refusal !== null) throw refused(plugin.manifest.name, refusal);
}

/** Everything that a worker sees of the host's environment, and what the host adds. */
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

function refused(name: string, { reason, advice }: Refusal): WorkerFault {
  const message = `${name} was not started, because nothing would keep it apart. ${reason} ${advice}`;
  return new WorkerFault('sandbox-unavailable', rpcCodes.crashed, message);
}

function noDatabase(name: string, error: unknown): WorkerFault {
  const known = error instanceof HostError ? error : databaseProblem(error);
  const fault = couldNotStart(name, known?.message ?? 'its database cannot be made');
  if (known?.code !== 'missing_permission') return fault;
  return new WorkerFault('missing-permission', fault.rpcCode, fault.message);
}

export function couldNotStart(name: string, reason: string): WorkerFault {
  const sentence = `The worker of ${name} could not be started: ${reason}`;
  return new WorkerFault('could-not-start', rpcCodes.crashed, sentence.replace(/\.?$/, '.'));
}

/** The system's word for what went wrong, without the paths in its message. */
function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'the reason is not known';
}
