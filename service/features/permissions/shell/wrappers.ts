/** How a program that runs another one is called. */
export interface Wrapper {
  /** Options with a value of their own, as in `-n 5`: letters and long names. */
  values?: string;
  /** Options without a value. One that is in neither list makes the command unclear. */
  flags?: string;
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
  /** What its words run is told by its input, where no command is among them. */
  readsInput?: boolean;
  /** An option whose value, or else the text `{}`, stands for words that the line does not show. */
  placeholder?: string;
}

const account = { values: 'u g h p C D R T U r t a c user group chdir host prompt' };

/** By program name. */
const wrappers: Record<string, Wrapper> = {
  nohup: {},
  nice: { values: 'n adjustment' },
  timeout: {
    flags: 'v foreground preserve-status verbose f p',
    values: 's k signal kill-after',
    skip: 1,
  },
  gtimeout: {
    flags: 'v foreground preserve-status verbose f p',
    values: 's k signal kill-after',
    skip: 1,
  },
  time: { flags: 'a v p q append portability verbose quiet', values: 'f o format output' },
  command: { flags: 'p', idle: 'v V' },
  builtin: {},
  exec: { flags: 'c l', values: 'a' },
  noglob: {},
  nocorrect: {},
  stdbuf: { values: 'i o e input output error' },
  setsid: { flags: 'c f w ctty fork wait' },
  ionice: { flags: 't ignore', values: 'c n class classdata', idle: 'p pid' },
  chrt: {
    flags: 'a b d f i o r R v all-tasks batch deadline fifo idle other rr reset-on-fork verbose',
    values: 'T P D',
    skip: 1,
    idle: 'p pid m',
  },
  taskset: { flags: 'a c all-tasks cpu-list', skip: 1, idle: 'p pid' },
  flock: {
    flags: 'n u x s e F o nb nonblock unlock exclusive shared close no-fork verbose',
    values: 'w E timeout conflict-exit-code',
    skip: 1,
    payload: 'c command',
  },
  watch: {
    flags:
      'b c d e g t x p q w beep color differences errexit chgexit no-title exec precise no-wrap equexit',
    values: 'n d interval',
    joined: true,
  },
  env: {
    flags: 'i 0 v ignore-environment null debug',
    values: 'u C a unset chdir argv0',
    assignments: true,
    payload: 'S split-string',
    dash: true,
  },
  xargs: {
    flags:
      '0 r t p x o i e l replace eof max-lines null no-run-if-empty verbose interactive exit open-tty',
    values: 'I n P L d a s E max-args max-procs delimiter arg-file max-chars process-slot-var',
    placeholder: 'I i replace',
    appends: true,
  },
  parallel: {
    flags:
      'k u X m 0 t v q bar keep-order dry-run will-cite no-notice ungroup null verbose eta progress',
    values: 'j N I S a jobs arg-file colsep delay joblog',
    joined: true,
    appends: true,
    readsInput: true,
    placeholder: 'I',
  },
  choom: { values: 'n adjust', idle: 'p pid' },
  eatmydata: {},
  chronic: {},
  ifne: { flags: 'n' },
  pkgx: {},
  xterm: { flags: 'hold', values: 'T title geometry fn bg fg', payload: 'e', readsInput: true },
  rxvt: { flags: 'hold', values: 'title geometry', payload: 'e', readsInput: true },
  urxvt: { flags: 'hold', values: 'title geometry', payload: 'e', readsInput: true },
  konsole: { payload: 'e', readsInput: true },
  'xfce4-terminal': { payload: 'e command x execute', readsInput: true },
  'gnome-terminal': { payload: 'e command x', readsInput: true },
  'mate-terminal': { payload: 'e command x', readsInput: true },
  'x-terminal-emulator': { payload: 'e', readsInput: true },
  lxterminal: { payload: 'e command', readsInput: true },
  alacritty: { payload: 'e command', readsInput: true },
  kitty: { readsInput: true },
  foot: { readsInput: true },
  busybox: {},
  toybox: {},
  sudo: {
    flags: 'A b E H K k n P S i s V preserve-env non-interactive login background set-home stdin',
    ...account,
    assignments: true,
  },
  doas: { flags: 'n s L', values: 'u C' },
  pkexec: { values: 'user' },
  su: {
    flags: 'l m p f P login preserve-environment pty fast',
    values: 's g G shell group',
    skip: 1,
    payload: 'c command',
    idle: 'h',
  },
  runuser: {
    flags: 'l m p f P login preserve-environment pty fast',
    values: 'u s g shell user group',
    payload: 'c command',
  },
  unshare: {
    flags:
      'i m n p u U C T f r c ipc mount net pid uts user cgroup time fork map-root-user map-current-user',
  },
  nsenter: { values: 't S G target' },
  chroot: { values: 'userspec groups', skip: 1 },
  strace: {
    flags: 'f ff c C d D i q qq r t tt ttt T v w x xx y yy z Z follow-forks',
    values: 'o e p s a u E P b I O S',
  },
  ltrace: { flags: 'f c C i L r S t tt ttt T', values: 'o e p s a u l n D F' },
  valgrind: {},
  'systemd-run': {
    flags: 'scope user wait pty pipe quiet collect no-block system G P d t q r',
    values: 'p u M H E unit property description setenv uid gid',
  },
  script: {
    flags: 'a e f q t append flush quiet return',
    values: 'O I B E T m log-out log-in log-io log-timing',
    skip: 1,
    payload: 'c command',
    readsInput: true,
  },
  sshpass: { flags: 'e v', values: 'p f e d P' },
  'ssh-agent': { values: 'a t' },
  ssh: {
    flags: '4 6 A a C f G g K k M N n q s T t tt V v vv vvv X x Y y',
    values: 'b c D E e F I i J L l m O o p Q R S W w B',
    skip: 1,
    joined: true,
    readsInput: true,
    idle: 'V G Q',
  },
  caffeinate: { flags: 'd i m s u', values: 't w' },
  'xvfb-run': {
    flags: 'a l auto-servernum listen-tcp',
    values: 'n s e f p w server-num server-args',
  },
  'dbus-run-session': {},
  proxychains: { flags: 'q', values: 'f' },
  proxychains4: { flags: 'q', values: 'f' },
  torsocks: { flags: 'i isolate' },
  numactl: { flags: 'l localalloc' },
  cgexec: { values: 'g' },
  unbuffer: { flags: 'p' },
  rlwrap: { flags: 'a A c i n N r R t u v w W' },
  faketime: { skip: 1 },
  entr: { flags: 'a c d n p r s z', joined: true },
  start: {},
  setarch: { flags: 'R B F I L S T X Z v addr-no-randomize 3gb 4gb uname-2.6 verbose' },
  linux32: { flags: 'R B F I L S T X Z v' },
  linux64: { flags: 'R B F I L S T X Z v' },
  i386: { flags: 'R B F I L S T X Z v' },
  i686: { flags: 'R B F I L S T X Z v' },
  x86_64: { flags: 'R B F I L S T X Z v' },
  aarch64: { flags: 'R B F I L S T X Z v' },
  fakeroot: { flags: 'u', values: 'l s i b lib faked' },
  prlimit: { flags: 'v verbose', values: 'p pid', idle: 'p pid' },
  setpriv: {
    flags: 'reset-env clear-groups keep-groups no-new-privs inh-caps',
    values: 'reuid regid groups',
  },
  capsh: { flags: 'print', payload: 'c' },
  chpst: { flags: 'v P', values: 'u U b e d o p f c r t l L n P m' },
  setuidgid: { skip: 1 },
  envdir: { skip: 1 },
  softlimit: { values: 'a c d f l m o p r s t' },
  daemonize: { values: 'a c e E o p l u' },
  'start-stop-daemon': {
    flags: 'S K b m B start stop background make-pidfile quiet oknodo test',
    payload: 'exec startas x a',
  },
  catchsegv: {},
  perf: { flags: 'a v g r d i S', values: 'e o F p t C event output', skip: 1 },
  screen: { flags: 'd m D r R A L U x', values: 'S c e h p s t T' },
  gdb: { payload: 'args' },
  hyperfine: {
    flags: 'i N ignore-failure show-output',
    values: 'w r m M warmup runs',
    joined: true,
    payload: 'prepare p setup s cleanup c',
  },
  watchexec: {
    flags: 'r c n q v clear restart no-vcs-ignore postpone',
    values: 'e w i exts watch ignore',
    joined: true,
  },
  nodemon: { flags: 'q V C L quiet verbose', values: 'e w i ext watch', payload: 'x exec' },
  'cross-env': { assignments: true },
  'cross-env-shell': { assignments: true, joined: true },
  dotenv: { values: 'e' },
  direnv: { skip: 2 },
  'nix-shell': { flags: 'p pure', values: 'p packages', payload: 'run command' },
  wsl: { values: 'd u distribution user cd' },
  'flatpak-spawn': { flags: 'host clear-env watch-bus' },
  firejail: { flags: 'quiet noprofile private net' },
  bwrap: {},
  proot: { values: 'r b w k i S R' },
  sg: { skip: 1, joined: true, payload: 'c' },
};

/** Programs that read commands in the language of the shell. */
export const shells = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'rbash', 'csh', 'tcsh'],
]);

const loader: Wrapper = {
  flags: 'verify inhibit-cache',
  values: 'library-path inhibit-rpath audit preload argv0 glibc-hwcaps-prepend glibc-hwcaps-mask',
  idle: 'list list-tunables help version',
};

/** How a program that runs another one is called; undefined: none is known to run another. */
export function wrapperOf(name: string): Wrapper | undefined {
  if (/^ld(?:-linux|-musl|-elf|\d*)?[\w.-]*\.so[\d.]*$/.test(name)) return loader;
  return Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
}
