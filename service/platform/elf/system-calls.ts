/** Processors that the Linux sandbox supports, as Node names them. */
export type Processor = 'x64' | 'arm64';

export const isProcessor = (name: string): name is Processor => name === 'x64' || name === 'arm64';

/**
 * Numbers of system calls on x64 and arm64, from the kernel's `asm/unistd_64.h` and
 * `asm-generic/unistd.h`; -1 if a processor does not have the call. From 424 on, both use the same
 * numbers.
 */
const systemCalls = {
  write: [1, 64],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
  clone: [56, 220],
  execve: [59, 221],
  chdir: [80, 49],
  fchdir: [81, 50],
  ptrace: [101, 117],
  syslog: [103, 116],
  capset: [126, 91],
  personality: [135, 92],
  vhangup: [153, 58],
  modify_ldt: [154, -1],
  pivot_root: [155, 41],
  prctl: [157, 167],
  adjtimex: [159, 171],
  chroot: [161, 51],
  acct: [163, 89],
  settimeofday: [164, 170],
  mount: [165, 40],
  umount2: [166, 39],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  iopl: [172, -1],
  ioperm: [173, -1],
  init_module: [175, 105],
  delete_module: [176, 106],
  quotactl: [179, 60],
  lookup_dcookie: [212, 18],
  clock_settime: [227, 112],
  exit_group: [231, 94],
  kexec_load: [246, 104],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  openat: [257, 56],
  unshare: [272, 97],
  dup3: [292, 24],
  perf_event_open: [298, 241],
  fanotify_init: [300, 262],
  prlimit64: [302, 261],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  clock_adjtime: [305, 266],
  setns: [308, 268],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  finit_module: [313, 273],
  kexec_file_load: [320, 294],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  clone3: [435, 435],
  close_range: [436, 436],
  pidfd_getfd: [438, 438],
  mount_setattr: [442, 442],
  quotactl_fd: [443, 443],
  statmount: [457, 457],
  listmount: [458, 458],
  open_tree_attr: [467, 467],
} as const;

export type SystemCall = keyof typeof systemCalls;

/** The last reviewed call; later ones do not exist for programs in the sandbox. */
export const lastJudgedCall = 469;

/** @returns -1 if the processor does not have the call */
export function numberOf(call: SystemCall, processor: Processor): number {
  return systemCalls[call][processor === 'x64' ? 0 : 1];
}
