import type { ProcessSpec } from '../processes.ts';

/** A file or folder that a sandboxed process can use. */
export interface Mount {
  /** Absolute path without links. */
  path: string;
  /** Path inside the sandbox, if it has its own file system. */
  inside: string;
  writable: boolean;
}

/** Everything that a sandboxed process can use; all paths are absolute paths of the host. */
export interface SandboxSpec {
  mounts: readonly Mount[];
  network: boolean;
  /** Folders below a mount that are invisible. */
  hidden?: readonly string[];
  /** Paths in a writable mount that are read-only and cannot be moved or removed. */
  readOnly?: readonly string[];
  /** Folders of a writable mount that cannot be moved or removed. */
  pinned?: readonly string[];
  /** If the system can refuse names: protected names cannot be written. */
  refusesProtectedNames?: boolean;
  /** Value of HOME inside; default: the working directory of the process. */
  home?: string;
  /** Most writable memory of each process, in MiB; default: most of the machine's. */
  memoryMb?: number;
}

/** Isolates processes from the rest of the machine. */
export interface Sandbox {
  /** Returns the path inside the sandbox of a file at `path`. */
  inside(sandboxSpec: SandboxSpec, path: string): string;
  /**
   * Wraps a process. Program, arguments and variables contain paths inside; `cwd` is a path of the
   * host.
   */
  wrap(spec: ProcessSpec, sandboxSpec: SandboxSpec): ProcessSpec;
}

/** No sandbox: all paths stay the same. */
export const passthroughSandbox: Sandbox = {
  inside: (_, path) => path,
  wrap: (spec) => spec,
};

/** Returns the path inside, by its nearest mount; unchanged if none contains it. */
export function insideMounts({ mounts }: SandboxSpec, path: string): string {
  const holds = (mount: Mount): boolean => path === mount.path || path.startsWith(`${mount.path}/`);
  const [nearest] = mounts.filter(holds).sort((a, b) => b.path.length - a.path.length);
  return nearest ? nearest.inside + path.slice(nearest.path.length) : path;
}
