/** The options that tell an interpreter what to run. Letters are short options. */
export interface Interpreter {
  /** Short options that take code from the command line or load some. */
  code: string;
  /** Long options that do the same. */
  long?: string;
  /** Short options with a value. */
  values?: string;
  /** With a matching word it runs nothing, or only named files. */
  idle?: RegExp;
  /** Sub-commands that take code. */
  takesCode?: RegExp;
  /** True if it also reads commands from its input while it runs a file. */
  always?: boolean;
}

const driven: Interpreter = { code: '', always: true };

const lisp: Interpreter = { code: 'e p l', long: 'eval load' };
const javascript: Interpreter = {
  code: 'e p r i',
  long: 'eval print require import loader experimental-loader interactive input-type',
  values: 'C',
};

export const interpreters: Record<string, Interpreter> = {
  python: { code: 'c i', long: 'check-hash', values: 'W X' },
  py: { code: 'c i', values: 'W X' },
  pypy: { code: 'c i', values: 'W X' },
  ipython: { code: 'c i' },
  bpython: { code: 'c i' },
  perl: { code: 'e E M m d x S i n p s', values: 'I F' },
  ruby: { code: 'e r n p i x S', long: 'require', values: 'I C E F K' },
  jruby: { code: 'e r n p' },
  node: javascript,
  nodejs: javascript,
  tsx: javascript,
  'ts-node': javascript,
  zx: javascript,
  php: { code: 'r B R E F a z d', long: 'run process-code process-begin process-end define' },
  lua: { code: 'e l i' },
  luajit: { code: 'e l i j b' },
  deno: { code: '', takesCode: /^(?:eval|repl|jupyter)$/ },
  bun: { code: 'e p', long: 'eval print preload', takesCode: /^(?:repl|exec)$/ },
  tclsh: { code: '' },
  wish: { code: '' },
  rscript: { code: 'e' },
  r: { code: 'e d g', long: 'args debugger', takesCode: /^CMD$/ },
  julia: { code: 'e E L i', long: 'eval print load' },
  octave: { code: '', long: 'eval' },
  gnuplot: { code: 'e c' },
  osascript: { code: 'e l i' },
  guile: { code: 'c e l s' },
  racket: { code: 'e l t r f i' },
  sbcl: lisp,
  clisp: { code: 'x i' },
  elixir: { code: 'e r', long: 'eval rpc-eval' },
  iex: { code: 'e r', long: 'eval' },
  erl: { code: '', long: 'eval run s' },
  scala: { code: 'e i' },
  'scala-cli': { code: 'e' },
  sbt: { code: '', takesCode: /^(?:eval|!.*|console)/ },
  bb: { code: 'e x m', takesCode: /^(?:repl|nrepl-server)$/ },
  clj: { code: 'e M X T', long: 'eval' },
  ocaml: { code: 'e' },
  mix: { code: '', takesCode: /^eval$/ },
  rake: {
    code: 'e E p r R',
    long: 'execute execute-print require',
    values: 'f I',
    idle: /^[^-]|^-T$/,
  },
  matlab: { code: '', long: 'batch r' },
  wolframscript: { code: '', long: 'code' },
  doxygen: { code: '' },
  groovy: { code: 'e n p l' },
  kotlin: { code: 'e' },
  swift: { code: 'e', takesCode: /^repl$/ },
  raku: { code: 'e M n p' },
  crystal: { code: '', takesCode: /^(?:eval|play)$/ },
  ghci: { code: 'e' },
  ghc: { code: 'e', idle: /\.hs$/ },
  runghc: { code: 'e' },
  irb: { code: 'e r' },
  jshell: { code: 'R' },
  clojure: { code: 'e M X T', long: 'eval' },
  psysh: { code: '' },
  qjs: { code: 'e i', long: 'eval' },
  gjs: { code: 'c', long: 'command' },
  newlisp: { code: 'e' },
  expect: { code: 'c' },
  m4: { code: 'D P', idle: /^--(?:version|help)$/ },
  dc: { code: 'e', long: 'expression' },
  swipl: { code: 'g t x', long: 'goal', values: 'f s l L G T' },
  csi: { code: 'e p P R', long: 'eval print pretty-print require-extension' },
  gosh: { code: 'e E', long: 'eval' },
  'mit-scheme': lisp,
  ecl: lisp,
  janet: { code: 'e l E', long: 'eval lib' },
  fennel: { code: 'e', long: 'eval' },
  hy: { code: 'c m i' },
  gforth: { code: 'e', long: 'evaluate' },
  txr: { code: 'e c p P B', long: 'lisp' },
  nu: { code: 'c e', long: 'commands execute config env-config' },
  xonsh: { code: 'c i D', long: 'rc' },
  elvish: { code: 'c', long: 'c' },
  murex: { code: 'c i', long: 'c' },
  ion: { code: 'c' },
  rc: { code: 'c i s' },
  es: { code: 'c i s' },
  ...Object.fromEntries(
    [
      ...['gdb', 'gdbtui', 'lldb', 'cgdb', 'rr', 'pdb', 'emacs', 'emacsclient', 'xemacs', 'mg'],
      ...['vi', 'vim', 'nvim', 'ex', 'view', 'vimdiff', 'rview', 'rvim', 'gvim', 'gview', 'evim'],
      ...['vim.basic', 'vim.tiny', 'vimtutor', 'nvi', 'vile', 'kak', 'hx', 'editor', 'joe', 'jed'],
      ...['sensible-editor', 'telnet', 'cscope', 'jrunscript', 'bashbug', 'perlbug', 'tmate'],
      ...['gpg-connect-agent', 'utop', 'mongosh', 'mongo', 'maxima', 'sage', 'sqlplus', 'bpftrace'],
      ...['pwsh', 'pwsh-preview', 'powershell'],
    ].map((name) => [name, driven]),
  ),
};
