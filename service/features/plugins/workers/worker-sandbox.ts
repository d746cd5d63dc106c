import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SandboxSpec, Mount } from '../../../platform/isolation/sandbox.ts';
import { heapMb, type WorkerPlugin } from './worker-command.ts';

/**
 * Address space of a runtime beside its heap. A single Node thread reserves about 1 GB but uses
 * little of it.
 */
const besideHeapMb = 4096;

/**
 * Returns the sandbox of a worker: read access to its package, write access to its data, the
 * granted files, and the runtime if the system folders do not contain it. The network only for
 * plugins that declared it when they were installed.
 */
export async function workerSandbox(
  { directory, manifest }: WorkerPlugin,
  dataDirectory: string,
  runtimePath: string,
  files: readonly Mount[],
): Promise<{ sandboxSpec: SandboxSpec; runtime: string }> {
  const { mount, program } = await runtimeMount(manifest.worker.runtime, runtimePath);
  const mounts: Mount[] = [
    { path: directory, inside: '/plugin', writable: false },
    { path: dataDirectory, inside: '/data', writable: true },
    ...(mount === null ? [] : [mount]),
    ...files,
  ];
  const network = manifest.permissions.includes('network');
  const memoryMb = heapMb(manifest) + besideHeapMb;
  return { sandboxSpec: { mounts, network, memoryMb }, runtime: program };
}

/** Java needs its whole home folder, Node only its program. */
async function runtimeMount(
  kind: 'java' | 'node',
  path: string,
): Promise<{ mount: Mount | null; program: string }> {
  const program = await realpath(path).catch(() => path);
  if (program.startsWith('/usr/')) return { mount: null, program };
  const home = kind === 'java' ? dirname(dirname(program)) : program;
  const inside = kind === 'java' ? '/runtime' : '/runtime/node';
  return { mount: { path: home, inside, writable: false }, program };
}
