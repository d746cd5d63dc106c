/** How a program that runs another one is called. */
export interface Wrapper {
  /** Options with a value of their own, as in `-n 5`: letters and long names. */
  values?: string;
  /** Words between the options and the command. */
  skip?: number;
  /** `NAME=value` may stand before the command. */
  assignments?: boolean;
  /** The words are joined and given to a shell. */
  joined?: boolean;
  /** An option whose value is given to a shell. */
  payload?: string;
  /** Words that the line does not show are added to the command. */
  appends?: boolean;
  /** With one of these it runs nothing. */
  idle?: string;
  /** A lone `-` is an option. */
  dash?: boolean;
}

const account = { values: 'u g h p C D R T U r t a c user group chdir host prompt' };

/** By program name. What is not here is taken for a program that runs no other. */
export const wrappers: Record<string, Wrapper | undefined> = {
  nohup: {},
  nice: { values: 'n adjustment' },
  timeout: { values: 's k signal kill-after', skip: 1 },
  gtimeout: { values: 's k signal kill-after', skip: 1 },
  time: { values: 'f o format output' },
  command: { idle: 'v V' },
  builtin: {},
  exec: { values: 'a' },
  noglob: {},
  nocorrect: {},
  stdbuf: { values: 'i o e input output error' },
  setsid: {},
  ionice: { values: 'c n class classdata', idle: 'p pid' },
  chrt: { values: 'T P D', skip: 1, idle: 'p pid m' },
  taskset: { skip: 1, idle: 'p pid' },
  flock: { values: 'w E timeout conflict-exit-code', skip: 1, payload: 'c command' },
  watch: { values: 'n d interval', joined: true },
  env: {
    values: 'u C a unset chdir argv0',
    assignments: true,
    payload: 'S split-string',
    dash: true,
  },
  xargs: {
    values: 'I n P L d a s E max-args max-procs max-lines delimiter arg-file max-chars',
    appends: true,
  },
  parallel: { values: 'j N I S a jobs arg-file colsep delay joblog', joined: true, appends: true },
  busybox: {},
  toybox: {},
  sudo: { ...account, assignments: true },
  doas: { values: 'u C' },
  pkexec: { values: 'user' },
  su: { values: 's g G shell group', skip: 1, payload: 'c command', idle: 'h' },
  runuser: { values: 'u s g shell user group', payload: 'c command' },
  unshare: {},
  nsenter: { values: 't S G target' },
  chroot: { values: 'userspec groups', skip: 1 },
  strace: { values: 'o e p s a u E P b I O S' },
  ltrace: { values: 'o e p s a u l n D F' },
  valgrind: {},
  'systemd-run': { values: 'p u M H E unit property description setenv uid gid' },
  script: { payload: 'c command' },
  sshpass: { values: 'p f e d P' },
  'ssh-agent': { values: 'a t' },
  ssh: { values: 'b c D E e F I i J L l m O o p Q R S W w B', skip: 1, joined: true },
  caffeinate: { values: 't w' },
  'xvfb-run': { values: 'n s e f p w server-num server-args' },
  'dbus-run-session': {},
  proxychains: { values: 'f' },
  proxychains4: { values: 'f' },
  torsocks: {},
  numactl: {},
  cgexec: { values: 'g' },
  unbuffer: {},
  rlwrap: {},
  faketime: { skip: 1 },
  entr: { joined: true },
  start: {},
  setarch: {},
  linux32: {},
  linux64: {},
  i386: {},
  i686: {},
  x86_64: {},
  aarch64: {},
  fakeroot: { values: 'l s i b lib faked' },
  prlimit: { values: 'p pid', idle: 'p pid' },
  setpriv: { values: 'reuid regid groups' },
  capsh: { payload: 'c' },
  chpst: { values: 'u U b e d o p f c r t l L n P m' },
  setuidgid: { skip: 1 },
  envdir: { skip: 1 },
  softlimit: { values: 'a c d f l m o p r s t' },
  daemonize: { values: 'a c e E o p l u' },
  'start-stop-daemon': { payload: 'exec startas x a' },
  catchsegv: {},
  perf: { values: 'e o F p t C event output', skip: 1 },
  screen: { values: 'S c e h p s t T' },
  gdb: { payload: 'args' },
  hyperfine: {
    values: 'w r m M warmup runs',
    joined: true,
    payload: 'prepare p setup s cleanup c',
  },
  watchexec: { values: 'e w i exts watch ignore', joined: true },
  nodemon: { values: 'e w i ext watch', payload: 'x exec' },
  'cross-env': { assignments: true },
  'cross-env-shell': { assignments: true, joined: true },
  dotenv: { values: 'e' },
  direnv: { skip: 2 },
  'nix-shell': { values: 'p packages', payload: 'run command' },
  wsl: { values: 'd u distribution user cd' },
  'flatpak-spawn': {},
  firejail: {},
  bwrap: {},
  proot: { values: 'r b w k i S R' },
  sg: { skip: 1, joined: true, payload: 'c' },
};

/** Programs that read commands in the language of the shell. */
export const shells = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'rbash', 'csh', 'tcsh'],
]);

/** Programs that run what they read from standard input when nothing is named. */
export const interpreters = new Set([
  ...['python', 'python2', 'python3', 'perl', 'ruby', 'node', 'php', 'lua', 'deno', 'bun', 'irb'],
  ...['tclsh', 'rscript', 'osascript', 'pypy', 'pypy3', 'nodejs', 'ghci', 'jshell', 'groovy'],
]);
