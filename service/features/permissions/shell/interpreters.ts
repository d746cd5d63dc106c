import { programName } from './program-name.ts';
import type { Segment, Word } from './segment.ts';

/** How a language's program is told what to run. Letters are those of short options. */
interface Interpreter {
  /** They take code from the command line, or load some. */
  code: string;
  /** Long options that do. */
  long?: string;
  /** Short options with a value of their own. */
  values?: string;
  /** With one of these it runs nothing, or only files that are named. */
  idle?: RegExp;
  /** Sub-commands that take code. */
  takesCode?: RegExp;
}

const idle = /^(?:-[vVh]|-VV|--version|--help|--test|-version)$/;
const lisp: Interpreter = { code: 'e p l', long: 'eval load' };
const javascript: Interpreter = {
  code: 'e p r i',
  long: 'eval print require import loader experimental-loader interactive input-type',
  values: 'C',
};

const table: Record<string, Interpreter> = {
  python: { code: 'c i', long: 'check-hash', values: 'W X' },
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
  r: { code: 'e', long: 'args' },
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
  gdb: {
    code: 'x',
    long: 'ex iex ix eval-command init-eval-command command batch args',
    idle: /^--(?:version|help)$/,
  },
  lldb: { code: 'o s O S k K', long: 'one-line source batch' },
  expect: { code: 'c' },
  emacs: { code: 'f l', long: 'eval funcall load batch script execute', idle: /^[^-]/ },
  emacsclient: { code: 'e', long: 'eval', idle: /^[^-]/ },
  m4: { code: 'D P', idle: /^--(?:version|help)$/ },
  dc: { code: 'e', long: 'expression' },
};

export const readsInput = 'it runs what it reads from elsewhere';
const ownCode = 'it runs code of another language';

/** The language that a program runs, also of `python3.11`; undefined: it is no interpreter. */
export function interpreterOf(program: string): Interpreter | undefined {
  const name = programName(program);
  const language = name.replace(/(?<=[a-z])-?\d+(?:\.\d+)*$/, '');
  if (Object.hasOwn(table, name)) return table[name];
  return Object.hasOwn(table, language) ? table[language] : undefined;
}

/** Why nobody can tell what an interpreter runs; null: it runs the file that it names. */
export function interpreterOpacity(language: Interpreter, { argv }: Segment): string | null {
  const words = argv.slice(1);
  const values = letters(language.values);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word;
    const said = wordOpacity(word, words.slice(at + 1), language);
    if (said !== undefined) return said;
    if (isModule(argv, word.value)) return moduleOpacity(word.value, words[at + 1]);
    if (takesCode(word.value, language)) return ownCode;
    if (/^-[^-]/.test(word.value) && values.has(word.value.at(-1) ?? '')) at += 1;
  }
  return readsInput;
}

/** Undefined: the word is an option, and the next one has to be looked at. */
function wordOpacity(
  { value, literal, mayHideOption }: Word,
  rest: readonly Word[],
  language: Interpreter,
): string | null | undefined {
  if (!literal && (mayHideOption || !value.startsWith('-')))
    return 'what it runs is not written out';
  if (value === '-') return readsInput;
  if (language.idle?.test(value) === true) return null;
  if (!value.startsWith('-')) return named(value, language, rest);
  if (idle.test(value)) return null;
  if (value === '--') return rest.length > 0 ? null : readsInput;
  return undefined;
}

const letters = (text = ''): ReadonlySet<string> => new Set(text.split(' ').filter(Boolean));

function takesCode(value: string, { code, long = '', values }: Interpreter): boolean {
  const name = /^--?([a-zA-Z][\w-]*)/.exec(value)?.[1] ?? '';
  if (
    [...letters(long)].some(
      (option) =>
        name === option || (value.startsWith('--') && name.length > 1 && option.startsWith(name)),
    )
  )
    return true;
  if (value.startsWith('--')) return false;
  const withCode = letters(code);
  const withValue = letters(values);
  for (const letter of value.slice(1)) {
    if (withCode.has(letter)) return true;
    if (withValue.has(letter)) return false;
  }
  return false;
}

function named(
  value: string,
  { takesCode: coded }: Interpreter,
  rest: readonly Word[],
): string | null {
  if (/^\/dev\/(?:stdin|fd\/)|^\/proc\/[^/]+\/fd\//.test(value)) return readsInput;
  if (coded?.test(value) === true) return ownCode;
  return coded !== undefined && rest.some((word) => /^\/dev\/|^-$/.test(word.value))
    ? readsInput
    : null;
}

const isModule = (argv: readonly Word[], value: string): boolean =>
  /^(?:python|pypy)/.test(programName(argv[0]?.value ?? '')) &&
  /^-[a-zA-Z]*m/.test(value) &&
  !/^-[a-zA-Z]*c/.test(value);

/** Modules that do what their name says with their words, and run none of them. */
const plainModules =
  /^(?:pytest|unittest|pip|venv|virtualenv|http\.server|json\.tool|compileall|black|mypy|ruff|flake8|pylint|isort|build|twine|sphinx|mkdocs|ensurepip|site|sysconfig|platform|calendar|zipfile|tarfile|gzip|base64|coverage|tox|nox|pyflakes|pycodestyle|django|flask|uvicorn|gunicorn)$/;

function moduleOpacity(value: string, next: Word | undefined): string | null {
  const inline = /^-[a-zA-Z]*?m(.*)$/.exec(value)?.[1] ?? '';
  const module = inline === '' ? (next?.value ?? '') : inline;
  if (next?.literal === false && inline === '') return 'what it runs is not written out';
  // Another module may take code, as timeit does; one of the project is the project's own.
  return plainModules.test(module) || /^[a-z_]\w*\.[\w.]+$/.test(module) ? null : ownCode;
}
