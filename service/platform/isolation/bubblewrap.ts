import { totalmem } from 'node:os';
import { debugDescriptor, type ProcessSpec } from '../processes.ts';
import { type SandboxSpec, type Sandbox, insideMounts } from './sandbox.ts';
import { launcher, launcherCapabilities, launcherPath, maxSandboxTasks } from './launcher.ts';
import { countsTasks } from './missing-limits.ts';
import { seccompFilter } from './seccomp-filter.ts';
import type { Processor } from '../elf/system-calls.ts';
import type { SystemTree } from './system-trees.ts';

/** Sets of namespaces; the first one that works on this machine is used. */
export const namespaceSets = {
  /** Own user namespace, and no nested ones. bubblewrap 0.8 and newer. */
  closed: ['--unshare-all', '--unshare-user', '--disable-userns', ...nobody()],
  user: ['--unshare-all', '--unshare-user', ...nobody()],
  /** For root on machines without user namespaces. */
  root: [
    '--unshare-ipc',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-uts',
    '--unshare-cgroup-try',
  ],
} as const;

export type NamespaceSet = keyof typeof namespaceSets;

function nobody(): string[] {
  return ['--uid', '65534', '--gid', '65534'];
}

/** System files for name resolution and certificates; only with network access. */
const networkFiles = [
  'resolv.conf',
  'hosts',
  'nsswitch.conf',
  'ssl/certs',
  'ca-certificates',
  'pki',
].map((name) => `/etc/${name}`);

/** Limits of folders in memory, in bytes. */
export const memoryFolders = { temporary: 2 * 2 ** 30, shared: 2 ** 29, hidden: 2 ** 20 } as const;

const emptyFolder = (path: string, bytes: number): string[] => [
  ...['--size', String(bytes), '--tmpfs', path],
];
const toReadOnly = (path: string): string[] => ['--remount-ro', path];

/** How the system call filter is loaded. */
export interface Guard {
  processor: Processor;
  /** True: the launcher loads it and also hides the mounts. False: bubblewrap loads it. */
  launcher: boolean;
}

/** Descriptors for bubblewrap's arguments, and for the launcher or the filter. */
const [argumentsFd, guardFd] = ['3', '4'];

function guardArguments({ launcher: launches }: Guard): string[] {
  if (!launches) return ['--seccomp', guardFd];
  return [
    ...launcherCapabilities.flatMap((name) => ['--cap-add', name]),
    // The first process inside still has the mounts.
    ...emptyFolder('/proc/1', memoryFolders.hidden),
    ...toReadOnly('/proc/1'),
    ...['--perms', '0555', '--file', guardFd, launcherPath],
  ];
}

/**
 * Returns bubblewrap's arguments for a sandbox: read-only system folders, an empty /tmp, the
 * mounts, and nothing else. The process and its descendants end with the host.
 */
export function bubblewrapArguments(
  { cwd, sandboxSpec }: { cwd: string; sandboxSpec: SandboxSpec },
  { namespaces, trees, guard }: Omit<BubblewrapOptions, 'program'>,
): string[] {
  const mounts = [...sandboxSpec.mounts].sort((a, b) => a.inside.length - b.inside.length);
  const shared = sandboxSpec.network ? networkFiles : [];
  return [
    ...namespaceSets[namespaces].filter(
      (flag) => !(sandboxSpec.network && flag === '--unshare-net'),
    ),
    ...(sandboxSpec.network && namespaces !== 'root' ? ['--share-net'] : []),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...trees.flatMap(({ path, link }) =>
      link === null ? ['--ro-bind-try', path, path] : ['--symlink', link, path],
    ),
    ...shared.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', ...guardArguments(guard), ...toReadOnly('/proc')],
    ...['--dev', '/dev', ...emptyFolder('/dev/shm', memoryFolders.shared), ...toReadOnly('/dev')],
    ...emptyFolder('/tmp', memoryFolders.temporary),
    ...mounts.flatMap(({ path, inside, writable }) => [
      writable ? '--bind' : '--ro-bind',
      path,
      inside,
    ]),
    ...protectedMounts(sandboxSpec),
    ...(sandboxSpec.hidden ?? []).flatMap((path) =>
      emptyFolder(insideMounts(sandboxSpec, path), memoryFolders.hidden),
    ),
    ...['--chdir', insideMounts(sandboxSpec, cwd), ...toReadOnly('/')],
  ];
}

/**
 * Mounts a path over itself: read-only, or only so that it cannot be moved. Outer paths come first.
 */
function protectedMounts(sandboxSpec: SandboxSpec): string[] {
  const protectedPaths = [
    ...(sandboxSpec.pinned ?? []).map((path) => ({ path, flag: '--bind-try' })),
    ...(sandboxSpec.readOnly ?? []).map((path) => ({ path, flag: '--ro-bind-try' })),
  ];
  return protectedPaths
    .sort((a, b) => a.path.length - b.path.length)
    .flatMap(({ path, flag }) => [flag, path, insideMounts(sandboxSpec, path)]);
}

/** Variables that reveal nothing about the user or the machine. */
function environmentInside(spec: ProcessSpec, sandboxSpec: SandboxSpec): Record<string, string> {
  const retained = Object.entries(spec.env).filter(([name]) => !personal.has(name));
  return {
    ...Object.fromEntries(retained),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: sandboxSpec.home ?? insideMounts(sandboxSpec, spec.cwd),
    TMPDIR: '/tmp',
  };
}

const personal = new Set(['USER', 'LOGNAME', 'SHELL', 'TEMP', 'TMP']);

/** The `bwrap` program and what it supports on this machine. */
export interface BubblewrapOptions {
  /** Absolute path of `bwrap`. */
  program: string;
  namespaces: NamespaceSet;
  trees: readonly SystemTree[];
  guard: Guard;
}

export function createBubblewrapSandbox(options: BubblewrapOptions): Sandbox {
  const { launcher: launches, processor } = options.guard;
  return {
    inside: insideMounts,
    wrap(spec, sandboxSpec) {
      const order = bubblewrapArguments({ cwd: spec.cwd, sandboxSpec }, options);
      const tasks = countsTasks() ? maxSandboxTasks : null;
      return {
        ...spec,
        program: options.program,
        // Through a pipe, since the command line of the first process is visible inside.
        args: [
          ...['--args', argumentsFd, '--'],
          ...(launches ? [launcherPath, insideMounts(sandboxSpec, spec.cwd)] : []),
          spec.program,
          ...spec.args,
        ],
        descriptorContents: [
          order.map((argument) => `${argument}\0`).join(''),
          launches
            ? launcher(processor, {
                data: memoryBytes(sandboxSpec),
                tasks,
                ...(spec.withDebugPipe === true && { passedDescriptor: debugDescriptor }),
              })
            : seccompFilter(processor),
        ],
        env: environmentInside(spec, sandboxSpec),
        endsItsTree: true,
        groupLimits: { memoryBytes: memoryBytes(sandboxSpec), tasks: maxSandboxTasks },
      };
    },
  };
}

/** By default, one process can use most of the machine's memory, but not all of it. */
function memoryBytes({ memoryMb }: SandboxSpec): number {
  return memoryMb === undefined ? Math.floor(totalmem() * 0.75) : memoryMb * 2 ** 20;
}
