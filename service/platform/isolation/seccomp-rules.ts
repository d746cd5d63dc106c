import type { SystemCall } from '../elf/system-calls.ts';

/** Error numbers of Linux, the same on x64 and arm64. */
export const errors = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;

export type RefusalError = keyof typeof errors;

/** Calls that no program in the sandbox needs, whatever their arguments. */
export const refusedCalls = [
  // Mounts and paths.
  'mount',
  'umount2',
  'pivot_root',
  'chroot',
  'move_mount',
  'open_tree',
  'open_tree_attr',
  'fsopen',
  'fsconfig',
  'fsmount',
  'fspick',
  'mount_setattr',
  'statmount',
  'listmount',
  'name_to_handle_at',
  'open_by_handle_at',
  'fanotify_init',
  // Namespaces; creating them is decided by flags.
  'setns',
  // Other processes.
  'ptrace',
  'process_vm_readv',
  'process_vm_writev',
  'kcmp',
  'pidfd_getfd',
  // Keys of the kernel.
  'add_key',
  'request_key',
  'keyctl',
  // Parts of the kernel with most of its vulnerabilities.
  'bpf',
  'perf_event_open',
  'userfaultfd',
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
  'modify_ldt',
  'lookup_dcookie',
  // The whole machine.
  'kexec_load',
  'kexec_file_load',
  'init_module',
  'finit_module',
  'delete_module',
  'reboot',
  'swapon',
  'swapoff',
  'acct',
  'quotactl',
  'quotactl_fd',
  'syslog',
  'settimeofday',
  'clock_settime',
  'clock_adjtime',
  'adjtimex',
  'sethostname',
  'setdomainname',
  'vhangup',
  'iopl',
  'ioperm',
] as const satisfies readonly SystemCall[];

/** `CLONE_NEW*`: namespaces of mounts, cgroups, names, IPC, users, processes, the network. */
export const namespaceFlags = 0x7e02_0000;
/** Only for `unshare`; in `clone`, these bits are a signal. */
const newTime = 0x80;

const family = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const;
/** The only netlink protocol that programs need, for the addresses of the machine. */
const netlinkRoute = 0;
const terminalInput = 0x5412;
const terminalSelection = 0x541c;
const plainPersonality = 0;
const askPersonality = 0xffff_ffff;

/** A call that is decided by the lower 32 bits of one argument. */
export interface ArgumentRule {
  call: SystemCall;
  argument: number;
  /** Refused if any of these bits is set. */
  refusedBits?: number;
  /** Refused for these values. */
  refused?: readonly number[];
  /** Refused for other values. */
  allowed?: readonly number[];
  /** This value is allowed only together with another argument. */
  allowedWith?: { value: number; argument: number; is: number };
  error: RefusalError;
}

export const argumentRules: readonly ArgumentRule[] = [
  { call: 'clone', argument: 0, refusedBits: namespaceFlags, error: 'EPERM' },
  { call: 'unshare', argument: 0, refusedBits: namespaceFlags | newTime, error: 'EPERM' },
  {
    call: 'socket',
    argument: 0,
    allowed: [family.unix, family.inet, family.inet6],
    allowedWith: { value: family.netlink, argument: 2, is: netlinkRoute },
    error: 'EAFNOSUPPORT',
  },
  { call: 'socketpair', argument: 0, allowed: [family.unix], error: 'EAFNOSUPPORT' },
  { call: 'ioctl', argument: 1, refused: [terminalInput, terminalSelection], error: 'EPERM' },
  {
    call: 'personality',
    argument: 0,
    allowed: [plainPersonality, askPersonality],
    error: 'EPERM',
  },
];

/** Its flags are in memory, which a filter cannot read. C libraries fall back to `clone`. */
export const absentCalls = ['clone3'] as const satisfies readonly SystemCall[];
