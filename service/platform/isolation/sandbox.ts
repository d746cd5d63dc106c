import type { ProcessSpec } from '../processes.ts';

/** Something of the machine that a boxed process may use. */
export interface Mount {
  /** Absolute, without links; a file or a folder. */
  path: string;
  /** What it is called inside where the box has a file system of its own. */
  inside: string;
  writable: boolean;
}

/** Everything that a sandboxed process may use; all paths are absolute and outside. */
export interface SandboxSpec {
  mounts: readonly Mount[];
  network: boolean;
  /** Folders below a mount that are not to be seen. */
  hidden?: readonly string[];
  /** What of a writable mount is read-only all the same, and cannot be moved or removed. */
  readOnly?: readonly string[];
  /** Folders of a writable mount that cannot be moved or removed. */
  pinned?: readonly string[];
  /** Where the system can refuse names: nothing with a protected name is written. */
  refusesProtectedNames?: boolean;
  /** What HOME says inside; default: where the process starts. */
  home?: string;
  /** Most memory that each process in it may write to; default: most of the machine's. */
  memoryMb?: number;
}

/** How processes are kept from the rest of the machine. */
export interface Sandbox {
  /** Where a process in the box finds what lies at `path`. */
  inside(sandboxSpec: SandboxSpec, path: string): string;
  /** Program, arguments and variables speak of paths as they are inside, `cwd` of one outside. */
  wrap(spec: ProcessSpec, sandboxSpec: SandboxSpec): ProcessSpec;
}

/** No box: every path is where it is. */
export const passthroughSandbox: Sandbox = {
  inside: (_, path) => path,
  wrap: (spec) => spec,
};

/** The path inside, by the mount that is nearest to it. Itself where none holds it. */
export function insideMounts({ mounts }: SandboxSpec, path: string): string {
  const holds = (mount: Mount): boolean => path === mount.path || path.startsWith(`${mount.path}/`);
  const [nearest] = mounts.filter(holds).sort((a, b) => b.path.length - a.path.length);
  return nearest ? nearest.inside + path.slice(nearest.path.length) : path;
}
