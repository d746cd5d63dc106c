import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type LogLevel, PluginManifest } from '../../contract/index.ts';
import { findRuntimes } from '../../features/plugins/workers/worker-command.ts';
import type { WorkerPlugin } from '../../features/plugins/workers/worker-command.ts';
import { passthroughSandbox } from '../../platform/isolation/sandbox.ts';
import type { WorkerEnvironment } from '../../features/plugins/workers/worker-environment.ts';
import type { Processes } from '../../platform/processes.ts';

const run = promisify(execFile);

/** A plugin in a temporary directory. */
export interface TestPlugin {
  plugin: WorkerPlugin;
  /** Folder with the package and the data directory. */
  root: string;
  remove(): Promise<void>;
}

/**
 * Creates a package with one worker in a temporary directory: a Node source of this folder
 * (`versatile.mjs`) or a Java one (`EchoWorker.java`, compiled here). Null omits the worker's file.
 */
export async function makeTestPlugin(
  source: string | null,
  manifest: Record<string, unknown> = {},
): Promise<TestPlugin> {
  const root = await mkdtemp(join(tmpdir(), 'test-plugin-'));
  const directory = join(root, 'package');
  await mkdir(join(directory, 'backend'), { recursive: true });
  const isJava = source?.endsWith('.java') === true;
  if (source !== null) await installWorker(join(import.meta.dirname, source), directory);
  const parsed = PluginManifest.parse({
    id: 'com.example.test',
    name: 'Test plugin',
    version: '1.0.0',
    worker: { runtime: isJava ? 'java' : 'node' },
    ...manifest,
  });
  return {
    plugin: { id: parsed.id, directory, manifest: parsed, official: false },
    root,
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Returns the environment of a worker as the host sets it, below the plugin's root. */
export function testEnvironment(
  { root }: TestPlugin,
  processes: Processes,
  changes: Partial<WorkerEnvironment> = {},
): WorkerEnvironment {
  return {
    processes,
    runtimes: findRuntimes(),
    dataDirectory: (id) => join(root, 'data', id),
    logLevel: (): LogLevel => 'INFO',
    locale: () => 'en',
    config: () => Promise.resolve({ values: {}, mounts: [] }),
    database: () => Promise.resolve({}),
    sandbox: () => Promise.resolve(passthroughSandbox),
    refusal: () => Promise.resolve(null),
    files: () => Promise.resolve([]),
    ...changes,
  };
}

async function installWorker(source: string, directory: string): Promise<void> {
  if (!source.endsWith('.java')) {
    await copyFile(source, join(directory, 'backend', 'worker.mjs'));
    return;
  }
  const classes = join(directory, 'classes');
  await run('javac', ['-g', '-d', classes, source]);
  const jar = join(directory, 'backend', 'worker.jar');
  await run('jar', ['--create', '--file', jar, '--main-class', 'EchoWorker', '-C', classes, '.']);
  await rm(classes, { recursive: true });
}
