import type { SystemCall } from '../elf/system-calls.ts';

/** Error numbers of Linux, the same on x64 and arm64. */
export const errors = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;

export type RefusalError = keyof typeof errors;

/** Calls that no program in the sandbox needs, whatever their arguments. */
export const refusedCalls = [
  // What is mounted, and where a path leads.
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
  // Namespaces; making them is judged by its flags.
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
  // Parts of the kernel where most of its holes were found.
  'bpf',
  'perf_event_open',
  'userfaultfd',
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
  'modify_ldt',
  'lookup_dcookie',
  // The machine as a whole.
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
/** Only `unshare` takes it; in `clone` these bits are a signal. */
const newTime = 0x80;

const family = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const;
/** The one protocol of netlink that programs ask for the addresses of the machine. */
const netlinkRoute = 0;
const terminalInput = 0x5412;
const terminalSelection = 0x541c;
const plainPersonality = 0;
const askPersonality = 0xffff_ffff;

/** A call that is judged by one of its arguments, of which the lower 32 bits are looked at. */
export interface ArgumentRule {
  call: SystemCall;
  argument: number;
  /** Refused when any of these bits is set. */
  refusedBits?: number;
  /** Refused when it is one of these. */
  refused?: readonly number[];
  /** Refused when it is none of these. */
  allowed?: readonly number[];
  /** Allowed for these values only together with this other argument. */
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

/**
 * Its flags lie in memory, where a filter cannot look. The C libraries take `clone` when it is not
 * there.
 */
export const absentCalls = ['clone3'] as const satisfies readonly SystemCall[];
