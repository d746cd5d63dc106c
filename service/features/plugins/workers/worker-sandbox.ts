import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SandboxSpec, Mount } from '../../../platform/isolation/sandbox.ts';
import { heapMb, type WorkerPlugin } from './worker-command.ts';

/**
 * What a runtime may write to beside its heap. A thread of Node alone asks for about 1 GB, of which it
 * uses little.
 */
const besideHeapMb = 4096;

/**
 * What the worker of a plugin sees: its package to read, its data to write, the files that it was
 * granted, and the runtime where the system's trees do not hold it. The network only for those that asked for it when they were installed.
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

/** Java needs its whole home, Node its program alone. */
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
