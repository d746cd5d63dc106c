import type { WorkerRuntime } from '../../../contract/index.ts';
import type { Mount } from '../../../platform/isolation/sandbox.ts';
import { pipePath, type WorkerInspection } from './worker-inspection.ts';

/** Arguments with which a runtime lets a debugger in; the bridge fills in the port. */
export const inspectArguments: Record<WorkerRuntime, readonly string[]> = {
  // What it would say on stderr names a port that only the bridge can use.
  node: ['--inspect=127.0.0.1:{port}', '--inspect-publish-uid=http'],
  java: ['-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:{port}'],
};

/** What the sandbox of an inspected worker has beside that of others. */
export function inspectionMounts(
  { folder, bridge, runtime }: WorkerInspection,
  nodePath: string,
): Mount[] {
  const extension = bridge.slice(bridge.lastIndexOf('.'));
  const isMounted = runtime === 'node' || nodePath.startsWith('/usr/');
  return [
    { path: folder, inside: '/inspect', writable: true },
    { path: bridge, inside: `/inspect-bridge${extension}`, writable: false },
    ...(isMounted ? [] : [{ path: nodePath, inside: '/inspect-node', writable: false }]),
  ];
}

export interface InspectedCommand {
  program: string;
  args: string[];
}

/** The bridge, which starts the worker. `inside` tells how the sandbox sees a path. */
export function inspectedCommand(
  { folder, bridge }: WorkerInspection,
  nodePath: string,
  { program, args }: InspectedCommand,
  inside: (path: string) => string,
): InspectedCommand {
  const pipe = process.platform === 'win32' ? pipePath(folder) : pipePath(inside(folder));
  return { program: inside(nodePath), args: [inside(bridge), pipe, program, ...args] };
}
