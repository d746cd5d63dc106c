/**
 * Options with which a program does more than its name suggests: long names, letters, whole words.
 */
export interface DangerousOptions {
  /** Options whose value is a shell command. */
  commands?: string;
  /** Options that run something else. */
  runs?: string;
  /** Options that write a file, or read one that says what to run. */
  writes?: string;
  /** Arguments that run something or write a file. */
  words?: RegExp;
  /** Arguments that run something that is not literal. */
  unclear?: RegExp;
  /** True if the program does so without any option. */
  always?: boolean;
}

const diff = { writes: 'output ext-diff textconv O' };
const transfer = { commands: 'upload-pack receive-pack exec u', words: /^ext::|::/ };
const copies = {
  runs: 'S D J',
  words:
    /^-?o?\s*-?(?:ProxyCommand|LocalCommand|PermitLocalCommand|KnownHostsCommand|Match|Include)/i,
  writes: 'o F',
};
const packages = {
  commands: 'c call',
  runs: 'script-shell node-options init-module git shell browser editor viewer',
  writes: 'userconfig globalconfig prefix',
  unclear: /^(?:script-shell|node-options|init-module|browser|editor|viewer)(?:=|$)|^scripts\./,
};
const compiler = {
  unclear: /^-{1,2}(?:wrapper|fplugin|specs|B|fuse-ld=[./]|Xclang|config)|^@|plugin/,
};
const binaryTool = { unclear: /^--plugin/ };
const typesetter = { unclear: /^-{1,2}\w*(?:shell-escape|write18)|write18|^\\|^shell-escape$/ };
const formatter = { unclear: /^-[a-zA-Z]*U|^--unsafe/ };
const networkTool = { unclear: /^(?:e(?:x(?:ec?)?)?|-b\w*|-force)$/ };

/** By program name; for git also by sub-command, as in `git diff`. */
export const dangerousOptions: Record<string, DangerousOptions> = {
  ...Object.fromEntries(
    ['gcc', 'g++', 'cc', 'c++', 'c89', 'c99', 'cpp', 'gfortran', 'clang', 'clang++', 'ld'].map(
      (name) => [name, compiler],
    ),
  ),
  ...Object.fromEntries(
    [
      'tex',
      'pdftex',
      'xetex',
      'luatex',
      'latex',
      'pdflatex',
      'xelatex',
      'lualatex',
      'tectonic',
    ].map((name) => [name, typesetter]),
  ),
  ...Object.fromEntries(
    ['troff', 'groff', 'nroff', 'gtroff', 'pic', 'gpic'].map((name) => [name, formatter]),
  ),
  ...Object.fromEntries(
    ['strip', 'objcopy', 'objdump', 'nm', 'ar', 'ranlib', 'size'].map((name) => [name, binaryTool]),
  ),
  // Programs that treat their words as data, except for these options.
  'apt-cache': { runs: 'o option c config-file' },
  brew: { unclear: /^(?:sh|ruby|exec|irb|bundle|prof|tests?)$/ },
  cowsay: { unclear: /\// },
  javap: { unclear: /^-J/ },
  mypy: { runs: 'python-executable' },
  neofetch: { unclear: /^--(?:config|source)/ },
  pylint: { runs: 'init-hook load-plugins' },
  pyright: { unclear: /^-{1,2}pythonpath/ },
  screenfetch: { unclear: /^-[a-zA-Z]*o/ },
  stylelint: { unclear: /^--(?:custom-|plugin)/ },
  sysctl: {
    unclear: /core_pattern|modprobe|hotplug|poweroff_cmd|helper|^-[a-zA-Z]*p|^--(?:load|system)/,
  },
  ip: networkTool,
  tc: networkTool,
  bridge: networkTool,
  latexmk: { unclear: /^-{1,2}(?:[a-z]*latex|e|r|\w*command)(?:=|$)/ },
  mpost: { unclear: /tex=/ },
  gs: { unclear: /NOSAFER|%pipe|^-c$/ },
  ghc: { unclear: /^-pgm|^-F$/ },
  hg: {
    unclear:
      /^--(?:ssh|remotecmd|tool|command|debugger|config)|^-e$|^(?:extdiff|bisect|debugshell|histedit|serve|email|fix|shell)$/,
  },
  svn: {
    commands: 'diff-cmd diff3-cmd editor-cmd',
    runs: 'config-option config-dir',
    unclear: /^svn\+(?!ssh:)/,
  },
  jj: { runs: 'config config-toml config-file', unclear: /^(?:config|fix|util)$/ },
  gh: { unclear: /^(?:alias|extensions?|ext|config)$|^--upload-pack|^core\./ },
  glab: { unclear: /^(?:alias|config)$/ },
  mvn: { unclear: /exec[:.-]|:exec|antrun|groovy|gplus/ },
  pip: { unclear: /\+ext:/ },
  pip3: { unclear: /\+ext:/ },
  gem: { commands: 'e' },
  openssl: { runs: 'engine provider', unclear: /^(?:engine|dynamic)$|^SO_PATH/ },
  ...Object.fromEntries(
    ['systemctl', 'journalctl', 'loginctl', 'hostnamectl', 'timedatectl', 'localectl'].map(
      (name) => [name, { unclear: /^-[a-zA-Z]*[HM]|^--(?:host|machine)/ }],
    ),
  ),
  docker: { unclear: /ssh:\/\// },
  patch: { unclear: /^-[a-zA-Z]*e|^--ed$/ },
  mount: { unclear: /^fuse|#/ },
  'systemd-run': { unclear: /^(?:-p|--property=)?\s*Exec/ },
  'ssh-copy-id': copies,
  sshfs: { unclear: /_command=|command=|sftp_server=/i },
  autossh: copies,
  find: { words: /^-(?:delete|fprint|fprint0|fprintf|fls)$/ },
  fd: { unclear: /^--exec(?:-batch)?=/ },
  fdfind: { unclear: /^--exec(?:-batch)?=/ },
  sort: { writes: 'o output', commands: 'compress-program' },
  tar: {
    commands:
      'to-command use-compress-program I rsh-command rmt-command info-script new-volume-script F checkpoint-action',
    writes: 'index-file',
    unclear: /^[^/-][^/]*:/,
  },
  bsdtar: { commands: 'use-compress-program I' },
  zip: { commands: 'TT unzip-command', runs: 'T' },
  '7z': { unclear: /^-sfx/ },
  rg: { commands: 'pre hostname-bin', writes: 'search-zip z' },
  ag: { commands: 'pager' },
  ack: { commands: 'pager' },
  bat: { commands: 'pager' },
  man: { commands: 'pager P html H', writes: 'config-file C' },
  less: {
    writes: 'o O log-file lesskey-file k lesskey-src lesskey-content',
    unclear: /^\+(?!(?:F|G|g|\d+g?|\/[^!|]*)?$)/,
  },
  more: { unclear: /^\+(?!(?:\d+|\/[^!|]*)?$)/ },
  nano: { commands: 's speller' },
  concurrently: { always: true },
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
    runs: 'engine',
    unclear: /%output\{/,
  },
  wget: {
    writes:
      'O o a output-document output-file append-output P directory-prefix config i input-file rejected-log save-cookies hsts-file warc-file',
    runs: 'use-askpass e execute',
  },
  ssh: copies,
  scp: copies,
  sftp: copies,
  rsync: { commands: 'e rsh', runs: 'rsync-path M', writes: 'log-file write-batch' },
  npm: packages,
  pnpm: packages,
  yarn: packages,
  npx: { commands: 'c call', runs: 'node-options script-shell shell' },
  make: { runs: 'eval E', words: /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS)[:+?]?=/ },
  gmake: { runs: 'eval E', words: /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS)[:+?]?=/ },
  go: { commands: 'exec toolexec vettool', runs: 'overlay', unclear: /extld|gccgo|^-w$/ },
  cargo: { runs: 'config Z', unclear: /^(?:watch|miri|with)$/ },
  rustc: { unclear: /linker|^-Z|^@/ },
  socat: { unclear: /(?:exec|system|shell)\s*:|^-[a-z]*f/i },
  nc: { commands: 'e c exec sh-exec lua-exec' },
  ncat: { commands: 'e c exec sh-exec lua-exec' },
  netcat: { commands: 'e c' },
  'yt-dlp': { commands: 'exec downloader external-downloader netrc-cmd' },
  'youtube-dl': { commands: 'exec external-downloader' },
  aria2c: { unclear: /^--on-/ },
  tcpdump: { commands: 'z', writes: 'w' },
  pandoc: { commands: 'filter F lua-filter L pdf-engine', writes: 'o output' },
  dpkg: { commands: 'pre-invoke post-invoke status-logger' },
  apt: { runs: 'o option c config-file' },
  'apt-get': { runs: 'o option c config-file' },
  rpm: { commands: 'pipe', runs: 'eval E define D load rcfile macros' },
  install: { commands: 'strip-program' },
  cpio: { commands: 'rsh-command' },
  diff3: { commands: 'diff-program' },
  sdiff: { commands: 'diff-program' },
  ctags: { runs: 'options filter' },
  gpg: { commands: 'photo-viewer agent-program dirmngr-program', runs: 'exec-path' },
  strace: { unclear: /^(?:-o|--output=)?\s*[|!]/ },
  m4: { unclear: /[^]/ },
  fzf: { unclear: /^--?(?:preview(?!-)|bind|with-shell|become)/ },
  mosh: { commands: 'ssh server client' },
  'watchman-make': { commands: 'run r' },
  ansible: { unclear: /^-a|^--args/ },
  unison: { unclear: /cmd$|^-(?:ui|merge|diff|ext)/ },
  openvpn: { unclear: /^--(?:up|down|route-up|ipchange|tls-verify|client-|learn-address|auth-)/ },
  'rdiff-backup': { unclear: /^--remote-schema/ },
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
