import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginManifest } from '../../../contract/index.ts';
import { findJava } from '../../../platform/find-java.ts';
import { findProgram } from '../../../platform/find-program.ts';

const defaultMemoryMb = 256;

/** The most that the heap of a worker may take. */
export function heapMb({ worker }: PluginManifest): number {
  return worker.memoryMb ?? defaultMemoryMb;
}

/** One installed package. `directory` is absolute. */
export interface WorkerPlugin {
  id: string;
  directory: string;
  manifest: PluginManifest;
  /** It came with the host. */
  official: boolean;
}

/** Absolute paths of the programs that run workers; null where this machine has none. */
export interface Runtimes {
  java(): Promise<string | null>;
  node(): Promise<string | null>;
}

/** What was found is remembered; what was not is looked for again at the next question. */
export function findRuntimes(): Runtimes {
  return { java: remembered(findJava), node: remembered(() => findNode()) };
}

/** The worker's file, relative to the package. */
export function workerEntry({ worker }: PluginManifest): string {
  const standard = worker.runtime === 'java' ? 'backend/worker.jar' : 'backend/worker.mjs';
  return worker.entry ?? standard;
}

/** The command line of a worker: short start-up before peak speed, and a bounded heap. `more` goes to the runtime. */
export function workerCommand(
  plugin: WorkerPlugin,
  runtimePath: string,
  more: readonly string[] = [],
): { program: string; args: string[] } {
  const { worker } = plugin.manifest;
  const entry = join(plugin.directory, workerEntry(plugin.manifest));
  const memoryMb = heapMb(plugin.manifest);
  if (worker.runtime === 'node') {
    return { program: runtimePath, args: [`--max-old-space-size=${memoryMb}`, ...more, entry] };
  }
  const heap = [`-Xmx${memoryMb}m`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
  // From Java 19 on the standard streams would otherwise follow the locale.
  const encodings = ['file', 'stdout', 'stderr'].map((name) => `-D${name}.encoding=UTF-8`);
  return { program: runtimePath, args: [...heap, ...encodings, ...more, '-jar', entry] };
}

interface Program {
  versions: Record<string, string | undefined>;
  execPath: string;
  /** Of a packaged Electron: where the package keeps what it brings. */
  resourcesPath?: string;
}

/** A package with Electron brings a Node, since its Electron does not serve as one. */
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
