import { elfProgram, type StaticProgram } from '../elf/elf-program.ts';
import type { CallStep } from '../elf/machine-code.ts';
import { instructionBytes, seccompFilter } from './seccomp-filter.ts';
import type { Processor } from '../elf/system-calls.ts';

/** Path in the sandbox. */
export const launcherPath = '/.launcher';

/** Most processes and threads of a sandbox. */
export const maxSandboxTasks = 2048;

/** Capabilities for the steps of the launcher, which it drops before it starts the program. */
export const launcherCapabilities = ['CAP_SYS_ADMIN', 'CAP_SYS_CHROOT', 'CAP_SETPCAP'] as const;

/** Its output to stderr if the kernel refuses a step. */
const launcherComplaint = 'The sandbox could not be completed, or its program not started.';
/** Its exit code in that case. */
const launcherErrorCode = 126;

/** Limits of a process and its descendants, under the kernel's names. */
export interface LauncherLimits {
  /** Writable memory of a process, in bytes. */
  data: number;
  /** Processes and threads of the user; does not apply to root. Null: no limit. */
  tasks: number | null;
  /** A descriptor above 3 that the program inherits with its standard streams. */
  passedDescriptor?: number;
}

const limitNumber = { data: 2, core: 4, tasks: 6 } as const;
const currentFolder = -100;
/** OPEN_TREE_CLONE, AT_RECURSIVE and O_CLOEXEC. */
const treeCopy = 0x1 | 0x8000 | 0x8_0000;
const closeOnExecute = 0x8_0000;
const newMountNamespace = 0x2_0000;
/** Above the inherited descriptors. */
const rootFd = 200;
const control = { dropBounding: 24, ambient: 47, noNewPrivileges: 38, seccomp: 22 } as const;
const clearAmbient = 4;
const filterMode = 2;
const stderr = 2;
const firstFurtherFd = 3;
const lastFd = 0xffff_ffff;
const closeWhenExecuting = 4;

/**
 * Builds the program that bubblewrap starts inside the sandbox, and that starts the requested one.
 * Its first argument is the current directory, the next one the program. It makes a copy of all
 * mounts its root directory. The copy belongs to no mount namespace, so the kernel lists no mounts
 * and no paths of the host for it, and it stays complete until the last process has ended: a root
 * directory in another namespace would lose its mounts, with everything they protect and hide, if
 * bubblewrap ends before the last process is killed. Then the launcher sets limits, drops all
 * capabilities and loads the filter.
 */
export function launcher(processor: Processor, limits: LauncherLimits): Buffer {
  const key = `${processor} ${limits.data} ${limits.tasks ?? ''} ${limits.passedDescriptor ?? ''}`;
  const existing = launchers.get(key);
  if (existing !== undefined) return existing;
  if (launchers.size >= maxLaunchers) launchers.clear();
  const made = makeLauncher(processor, limits);
  launchers.set(key, made);
  return made;
}

/** Cached, since most workers have the same limits. */
const launchers = new Map<string, Buffer>();
const maxLaunchers = 16;

function makeLauncher(processor: Processor, limits: LauncherLimits): Buffer {
  const filter = seccompFilter(processor);
  const complaint = Buffer.from(`${launcherComplaint}\n`);
  const program: StaticProgram = {
    steps: [
      ...moveToCopy,
      ...[limitStep('data'), limitStep('core')],
      ...(limits.tasks === null ? [] : [limitStep('tasks')]),
      ...dropCapabilities,
      ...keepDescriptorsOut(limits.passedDescriptor),
      { call: 'prctl', arguments: [control.noNewPrivileges, 1, 0, 0, 0] },
      { call: 'prctl', arguments: [control.seccomp, filterMode, { of: 'filterProgram' }, 0, 0] },
      { execute: 2 },
    ],
    onError: [
      { call: 'write', arguments: [stderr, { of: 'words' }, complaint.length], mayFail: true },
      { call: 'exit_group', arguments: [launcherErrorCode], mayFail: true },
    ],
    data: {
      root: Buffer.from('/\0'),
      here: Buffer.from('.\0'),
      data: limitOf(limits.data),
      tasks: limitOf(limits.tasks ?? 0),
      core: limitOf(0),
      // Version 3 of the interface, for this process; then no capabilities.
      capabilityHeader: Buffer.from(Uint32Array.of(0x2008_0522, 0).buffer),
      noCapabilities: Buffer.alloc(24),
      words: complaint,
      filter,
      filterProgram: (addressOf) => {
        const bytes = Buffer.alloc(16);
        bytes.writeUInt16LE(filter.length / instructionBytes, 0);
        bytes.writeBigUInt64LE(BigInt(addressOf('filter')), 8);
        return bytes;
      },
    },
  };
  return elfProgram(processor, program);
}

const moveToCopy: readonly CallStep[] = [
  // In a user namespace, only the owner of the mount namespace can copy mounts.
  { call: 'unshare', arguments: [newMountNamespace] },
  { call: 'open_tree', arguments: [currentFolder, { of: 'root' }, treeCopy] },
  { call: 'dup3', arguments: [rootFd, closeOnExecute], onResult: true },
  { call: 'fchdir', arguments: [rootFd] },
  { call: 'chroot', arguments: [{ of: 'here' }] },
  { call: 'chdir', arguments: [{ own: 1 }] },
];

/** More than the kernel has; it refuses unknown ones. */
const maxCapabilities = 64;

const dropCapabilities: readonly CallStep[] = [
  ...Array.from({ length: maxCapabilities }, (_, capability) => ({
    call: 'prctl' as const,
    arguments: [control.dropBounding, capability, 0, 0, 0],
    mayFail: true,
  })),
  { call: 'prctl', arguments: [control.ambient, clearAmbient, 0, 0, 0] },
  { call: 'capset', arguments: [{ of: 'capabilityHeader' }, { of: 'noCapabilities' }] },
];

/**
 * Closes unknown descriptors that the host may have inherited. Kernels before 5.9 cannot; the trial
 * detects it.
 */
function keepDescriptorsOut(passedDescriptor: number | undefined): CallStep[] {
  if (passedDescriptor === undefined) return [closeOnExecution(firstFurtherFd, lastFd)];
  return [
    closeOnExecution(firstFurtherFd, passedDescriptor - 1),
    closeOnExecution(passedDescriptor + 1, lastFd),
  ];
}

const closeOnExecution = (first: number, last: number): CallStep => ({
  call: 'close_range',
  arguments: [first, last, closeWhenExecuting],
  mayFail: true,
});

/** Fails if a lower limit already applies, which is fine. */
function limitStep(name: keyof typeof limitNumber): CallStep {
  return {
    call: 'prlimit64',
    arguments: [0, limitNumber[name], { of: name }, 0],
    mayFail: true,
  };
}

function limitOf(value: number): Buffer {
  return Buffer.from(BigUint64Array.of(BigInt(value), BigInt(value)).buffer);
}
