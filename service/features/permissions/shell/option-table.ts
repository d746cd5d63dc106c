/** Options of a program with which it does more than its name says. Long names, letters, whole words. */
export interface DangerousOptions {
  /** Their value is a command for a shell. */
  commands?: string;
  /** They run something else. */
  runs?: string;
  /** They write a file, or read one that says what to run. */
  writes?: string;
  /** Arguments that do either. */
  words?: RegExp;
  /** It does so without any option. */
  always?: boolean;
}

const perlLike = { runs: 'e E i n p M I', words: /^-[a-zA-Z]*[eE]/ };
const python = { runs: 'c' };
const diff = { writes: 'output ext-diff textconv O' };
const transfer = { commands: 'upload-pack receive-pack exec u', words: /^ext::|::/ };
const copies = {
  runs: 'S D J',
  words:
    /^-?o?\s*-?(?:ProxyCommand|LocalCommand|PermitLocalCommand|KnownHostsCommand|Match|Include)/i,
  writes: 'o F',
};
const packages = {
  runs: 'script-shell node-options init-module git shell',
  writes: 'userconfig globalconfig prefix',
};
const editor = { runs: 'c cmd S u s', words: /^\+/ };

/** By program name; sub-commands of git as `git diff`. */
export const dangerousOptions: Record<string, DangerousOptions> = {
  find: { words: /^-(?:delete|fprint|fprint0|fprintf|fls)$/ },
  fd: {},
  fdfind: {},
  sort: { writes: 'o output', commands: 'compress-program' },
  tar: {
    commands:
      'to-command use-compress-program I rsh-command rmt-command info-script new-volume-script F checkpoint-action',
    writes: 'index-file',
  },
  bsdtar: { commands: 'use-compress-program I' },
  zip: { commands: 'TT unzip-command', runs: 'T' },
  rg: { commands: 'pre hostname-bin', writes: 'search-zip z' },
  ag: { commands: 'pager' },
  ack: { commands: 'pager' },
  bat: { commands: 'pager' },
  man: { commands: 'pager P html H', writes: 'config-file C' },
  less: { writes: 'o O log-file lesskey-file k', words: /^\+.*[!|]/ },
  more: { words: /^\+.*!/ },
  nano: { commands: 's speller' },
  expect: { runs: 'c' },
  concurrently: { always: true },
  psql: { writes: 'o output L log-file f file', words: /\\(?:!|o\b|copy\b|i\b|ir\b|g\s*\||w\b)/ },
  mysql: { writes: 'tee', words: /\\!|\\T|\bsystem\b|\bsource\b|\binto\s+(?:out|dump)file\b/i },
  mariadb: { writes: 'tee', words: /\\!|\\T|\bsystem\b|\bsource\b|\binto\s+(?:out|dump)file\b/i },
  sqlite3: {
    writes: 'init cmd',
    words:
      /^\s*\.(?:sh|sy|o|ex|loa|im|b|sav|re|cl|ar|lo|tr|ed|cd)|\b(?:writefile|edit|load_extension)\s*\(/,
  },
  sed: { writes: 'i in-place f file' },
  gsed: { writes: 'i in-place f file' },
  awk: { writes: 'f file i l E include load exec' },
  gawk: { writes: 'f file i l E o p d D include load exec pretty-print profile dump-variables' },
  mawk: { writes: 'f file' },
  nawk: { writes: 'f file' },
  yq: { writes: 'i inplace in-place' },
  tree: { writes: 'o' },
  iconv: { writes: 'o output' },
  xxd: { writes: 'r revert' },
  uniq: {},
  curl: {
    writes:
      'o output O remote-name remote-name-all K config c cookie-jar D dump-header trace trace-ascii stderr output-dir libcurl etag-save hsts alt-svc J remote-header-name',
  },
  wget: {
    writes:
      'O o a output-document output-file append-output P directory-prefix config i input-file',
    runs: 'use-askpass e execute',
  },
  ssh: copies,
  scp: copies,
  sftp: copies,
  rsync: { commands: 'e rsh', runs: 'rsync-path', writes: 'log-file write-batch' },
  python: python,
  python2: python,
  python3: python,
  pypy: python,
  pypy3: python,
  perl: perlLike,
  ruby: perlLike,
  node: {
    runs: 'e p r eval print require import loader experimental-loader',
    words: /^-[a-z]*[ep]/,
  },
  nodejs: { runs: 'e p r eval print require import loader experimental-loader' },
  deno: { words: /^eval$/ },
  bun: { runs: 'e eval print preload r' },
  php: { runs: 'r B R E F d' },
  lua: { runs: 'e l' },
  osascript: { runs: 'e l' },
  rscript: { runs: 'e' },
  tclsh: {},
  npm: packages,
  pnpm: packages,
  yarn: packages,
  npx: { commands: 'c call', runs: 'node-options script-shell shell' },
  make: { runs: 'eval', words: /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS)[:+?]?=/ },
  gmake: { runs: 'eval', words: /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS)[:+?]?=/ },
  vi: editor,
  vim: editor,
  nvim: editor,
  ex: editor,
  emacs: { runs: 'eval f funcall l load batch script' },
  gdb: { runs: 'ex eval-command iex x command' },
  split: { commands: 'filter' },
  'git diff': diff,
  'git log': diff,
  'git show': diff,
  'git reflog': diff,
  'git shortlog': diff,
  'git whatchanged': diff,
  'git diff-tree': diff,
  'git diff-index': diff,
  'git diff-files': diff,
  'git range-diff': diff,
  'git rev-list': diff,
  'git stash': diff,
  'git format-patch': { writes: 'output ext-diff textconv o output-directory' },
  'git grep': { commands: 'O open-files-in-pager', writes: 'textconv ext-grep' },
  'git cat-file': { runs: 'textconv filters' },
  'git blame': { writes: 'textconv contents' },
  'git fetch': transfer,
  'git pull': transfer,
  'git clone': { ...transfer, writes: 'c config template' },
  'git push': transfer,
  'git ls-remote': transfer,
  'git remote': { words: /::/ },
  'git archive': { commands: 'exec', writes: 'o output remote' },
  'git rebase': { runs: 'x exec', writes: 'i interactive' },
  'git init': { writes: 'template' },
  'git bisect': { words: /^run$/ },
  'git submodule': { words: /^foreach$/ },
  'git difftool': { always: true },
  'git mergetool': { always: true },
  'git filter-branch': { always: true },
  'git bundle': { words: /^create$/ },
  'git help': { words: /^-/ },
};
