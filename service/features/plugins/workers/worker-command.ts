import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginManifest } from '../../../contract/index.ts';
import { findJava } from '../../../platform/find-java.ts';
import { findProgram } from '../../../platform/find-program.ts';

const defaultMemoryMb = 256;

/** Returns the maximum heap size of a worker in MiB. */
export function heapMb({ worker }: PluginManifest): number {
  return worker.memoryMb ?? defaultMemoryMb;
}

/** An installed package. `directory` is absolute. */
export interface WorkerPlugin {
  id: string;
  directory: string;
  manifest: PluginManifest;
  /** True if it ships with the host. */
  official: boolean;
}

/** Absolute paths of the programs that run workers; null if this machine has none. */
export interface Runtimes {
  java(): Promise<string | null>;
  node(): Promise<string | null>;
}

/** Caches programs that were found; missing ones are searched again at the next call. */
export function findRuntimes(): Runtimes {
  return { java: remembered(findJava), node: remembered(() => findNode()) };
}

/** Returns the file of the worker, relative to the package. */
export function workerEntry({ worker }: PluginManifest): string {
  const standard = worker.runtime === 'java' ? 'backend/worker.jar' : 'backend/worker.mjs';
  return worker.entry ?? standard;
}

/**
 * Returns the command line of a worker, tuned for a short start instead of peak speed, with a
 * bounded heap.
 */
export function workerCommand(
  plugin: WorkerPlugin,
  runtimePath: string,
): { program: string; args: string[] } {
  const { worker } = plugin.manifest;
  const entry = join(plugin.directory, workerEntry(plugin.manifest));
  const memoryMb = heapMb(plugin.manifest);
  if (worker.runtime === 'node') {
    return { program: runtimePath, args: [`--max-old-space-size=${memoryMb}`, entry] };
  }
  const heap = [`-Xmx${memoryMb}m`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
  // Since Java 19 the standard streams would otherwise use the encoding of the locale.
  const encodings = ['file', 'stdout', 'stderr'].map((name) => `-D${name}.encoding=UTF-8`);
  return { program: runtimePath, args: [...heap, ...encodings, '-jar', entry] };
}

interface Program {
  versions: Record<string, string | undefined>;
  execPath: string;
  /** The resources folder of a packaged Electron. */
  resourcesPath?: string;
}

/** A package with Electron includes a Node, because its Electron cannot run as one. */
export async function findNode(program: Program = process): Promise<string | null> {
  if (program.versions['electron'] === undefined) return program.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const bundled = join(program.resourcesPath ?? '', 'node', name);
  const isThere = await access(bundled).then(
    () => program.resourcesPath !== undefined,
    () => false,
  );
  return isThere ? bundled : findProgram('node');
}

function remembered(find: () => Promise<string | null>): () => Promise<string | null> {
  let found: string | null = null;
  return async () => (found ??= await find());
}
