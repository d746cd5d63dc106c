import { assigned, hidesSubstitution } from './assigned.ts';
import { awkPayloads, awkRunsUnwritten } from './awk-program.ts';
import { gitInner } from './git-inner.ts';
import { optionCommands } from './dangerous-options.ts';
import { programName } from './program-name.ts';
import { sedRuns } from './sed-script.ts';
import { literalWord, type Segment, type Word } from './segment.ts';
import { type Inner, joined, noInner, takePayload, unwrap } from './unwrap.ts';
import { interpreters, shells } from './wrappers.ts';

const readsInput = 'it runs what it reads from elsewhere';
const notLiteral = 'what it runs is not written out';

/** What a command runs besides its own program, as far as its words tell. Not for PowerShell. */
export function innerOf(segment: Segment): Inner {
  const program = segment.argv[0];
  if (program === undefined) return noInner();
  if (!program.literal) return { ...noInner(), opaque: 'its program is not written out' };
  // What is left of `time -f %e make` where the shell takes `time` for its own word.
  if (program.value.startsWith('-')) return unwrap([literalWord('time'), ...segment.argv]);
  const name = programName(program.value);
  if (shells.has(name)) return shellInner(segment);
  if (Object.hasOwn(readers, name)) return readerInner(segment, readers[name]);
  if (interpreters.has(name)) return interpreterInner(segment.argv);
  const inner = specials[name]?.(segment.argv) ?? unwrap(segment.argv);
  for (const word of optionCommands(segment.argv)) takePayload(word, inner);
  return inner;
}

const specials: Record<string, ((argv: readonly Word[]) => Inner) | undefined> = {
  eval: (argv) => payloadInner(joined(argv.slice(argv[1]?.value === '--' ? 2 : 1))),
  trap: trapInner,
  alias: aliasInner,
  '.': sourceInner,
  source: sourceInner,
  find: (argv) => execInner(argv, /^-(?:exec|execdir|ok|okdir)$/),
  fd: (argv) => execInner(argv, /^(?:-[xX]|--exec|--exec-batch)$/),
  fdfind: (argv) => execInner(argv, /^(?:-[xX]|--exec|--exec-batch)$/),
  git: gitInner,
  tmux: tmuxInner,
  make: makeInner,
  gmake: makeInner,
  awk: awkInner,
  gawk: awkInner,
  mawk: awkInner,
  nawk: awkInner,
  sed: sedInner,
  gsed: sedInner,
  enable: () => ({ ...noInner(), unsafe: 'it changes what a name means' }),
  hash: () => ({ ...noInner(), unsafe: 'it changes what a name means' }),
  ...Object.fromEntries(
    ['test', '[', '[[', 'printf', 'unset', 'let', 'read', 'wait', 'getopts', '(('].map((name) => [
      name,
      subscriptInner,
    ]),
  ),
  ...Object.fromEntries(
    ['declare', 'typeset', 'local', 'export', 'readonly'].map((name) => [name, declarationInner]),
  ),
  ...Object.fromEntries(
    ['mapfile', 'readarray', 'complete', 'compgen'].map((name) => [name, callbackInner]),
  ),
  bind: callbackInner,
};

function trapInner(argv: readonly Word[]): Inner {
  const rest = argv.slice(argv[1]?.value === '--' ? 2 : 1);
  return /^-[lp]?$/.test(rest[0]?.value ?? '-') ? noInner() : payloadInner(rest[0]);
}

function payloadInner(word: Word | undefined): Inner {
  const inner = noInner();
  takePayload(word, inner);
  if (inner.opaque !== undefined) inner.opaque = notLiteral;
  return inner;
}

/** Its options, then a script or `-c` and a text; without either it runs what it reads. */
function shellInner({ argv, redirections }: Segment): Inner {
  const options = shellOptions(argv);
  if (options === null) return noInner();
  if (options.open) return { ...noInner(), opaque: notLiteral };
  const word = argv[options.next];
  if (options.takesText) return word === undefined ? noInner() : payloadInner(word);
  if (word !== undefined && !options.readsInput)
    return word.literal ? scriptFile(word) : { ...noInner(), opaque: notLiteral };
  const written = redirections.find(({ operator }) => operator.startsWith('<<'));
  if (written?.input === undefined) return { ...noInner(), opaque: readsInput };
  return { ...noInner(), payloads: [written.input] };
}

interface ShellOptions {
  /** The index of the first word behind them. */
  next: number;
  takesText: boolean;
  readsInput: boolean;
  /** One of them is not written out. */
  open: boolean;
}

/** Null: it runs nothing. */
function shellOptions(argv: readonly Word[]): ShellOptions | null {
  const options = { next: 1, takesText: false, readsInput: false, open: false };
  for (let word = argv[1]; word !== undefined; word = argv[options.next]) {
    const { value, mayHideOption } = word;
    if (mayHideOption) return { ...options, open: true };
    if (/^--(?:help|version)$/.test(value)) return null;
    if (!/^[-+]/.test(value)) break;
    options.next += /^[-+][^-]*[oO]$|^--(?:rcfile|init-file)$/.test(value) ? 2 : 1;
    if (/^--?$/.test(value)) break;
    options.takesText ||= /^-[^-]*c/.test(value);
    options.readsInput ||= /^-[a-z]*s[a-z]*$/.test(value);
  }
  return options;
}

function scriptFile({ value }: Word): Inner {
  const fromPipe = /^\/dev\/(?:stdin|fd\/)|^\/proc\/[^/]+\/fd\//.test(value);
  return fromPipe ? { ...noInner(), opaque: readsInput } : noInner();
}

function interpreterInner(argv: readonly Word[]): Inner {
  const named = argv.slice(1).filter(({ value }) => value !== '-');
  if (argv.length - 1 > named.length || named.every(({ value }) => value.startsWith('-')))
    if (!named.some(({ value }) => /^(?:-[vVh]|--version|--help|--test|-VV)$/.test(value)))
      return { ...noInner(), opaque: readsInput };
  if (spawns(named)) return { ...noInner(), opaque: 'its code runs other programs' };
  const [first] = named;
  if (first?.literal && scriptFile(first).opaque !== undefined) return scriptFile(first);
  return first && !first.literal && !first.value.startsWith('-')
    ? { ...noInner(), opaque: notLiteral }
    : noInner();
}

/** Code of another language is not read, but what starts programs in it has names. */
function spawns(words: readonly Word[]): boolean {
  const at = words.findIndex(({ value }) => /^(?:-[a-zA-Z]*[ceErpR]|--eval|--print)$/.test(value));
  const code = at < 0 ? '' : (words[at + 1]?.value ?? '');
  return /\b(?:system|popen|subprocess|spawn\w*|exec\w*|child_process|os\.execute|shell_exec)\b|`/.test(
    code,
  );
}

/** What a window of tmux is opened with. */
function tmuxInner(argv: readonly Word[]): Inner {
  const at = argv.findIndex(({ value }) =>
    /^(?:new|split|respawn|run|if|pipe|popup|display-p|send)/.test(value),
  );
  const inner = noInner();
  if (at < 0) return inner;
  const words = argv.slice(at + 1).filter(({ value }) => !value.startsWith('-'));
  for (const word of [joined(words), ...words]) takePayload(word, inner);
  return inner;
}

function aliasInner(argv: readonly Word[]): Inner {
  const inner = noInner();
  for (const { value, literal } of argv.slice(1)) {
    const at = value.indexOf('=');
    if (at > 0 && literal) inner.payloads.push(value.slice(at + 1));
  }
  return { ...inner, unsafe: 'it changes what a name means' };
}

function sourceInner(argv: readonly Word[]): Inner {
  const [, file] = argv;
  if (file === undefined) return noInner();
  return file.literal ? scriptFile(file) : { ...noInner(), opaque: notLiteral };
}

/** `-exec … ;`: the words up to the end mark are a command. */
function execInner(argv: readonly Word[], option: RegExp): Inner {
  const inner = noInner();
  for (let at = 1; at < argv.length; at += 1) {
    if (!option.test(argv[at]?.value ?? '')) continue;
    const rest = argv.slice(at + 1);
    const end = rest.findIndex(({ value }) => value === ';' || value === '+');
    const command = end < 0 ? rest : rest.slice(0, end);
    at += command.length;
    const [program] = command;
    if (program === undefined) continue;
    if (program.value.includes('{}') || isShellWithPlaceholder(command)) inner.opaque = notLiteral;
    inner.commands.push({ argv: command, assignments: [] });
  }
  return inner;
}

/** A file name inside the text of `sh -c` is read as commands. */
function isShellWithPlaceholder(command: readonly Word[]): boolean {
  if (!shells.has(programName(command[0]?.value ?? ''))) return false;
  const at = command.findIndex(({ value }) => /^-[^-]*c/.test(value));
  return at > 0 && (command[at + 1]?.value.includes('{}') ?? false);
}

function awkInner(argv: readonly Word[]): Inner {
  const inner = { ...noInner(), payloads: awkPayloads(argv) };
  return awkRunsUnwritten(argv) ? { ...inner, opaque: notLiteral } : inner;
}

/** These evaluate subscripts of names. */
function subscriptInner(argv: readonly Word[]): Inner {
  const evaluates = argv.slice(1).some(({ text }) => hidesSubstitution(text));
  return evaluates ? { ...noInner(), opaque: notLiteral } : noInner();
}

function declarationInner(argv: readonly Word[]): Inner {
  const inner = subscriptInner(argv);
  for (const { value, literal } of argv.slice(1)) {
    const [, name, given = ''] = /^(\w+)\+?=([^]*)$/.exec(value) ?? [];
    if (name === undefined) continue;
    const { payload, opaque } = assigned(name, literal ? given : null);
    if (payload !== undefined) inner.payloads.push(payload);
    inner.opaque ??= opaque;
  }
  return inner;
}

/** `mapfile -C command`, `complete -C command`, `bind -x '"key": command'`. */
function callbackInner(argv: readonly Word[]): Inner {
  const inner = subscriptInner(argv);
  for (const [at, { value }] of argv.entries()) {
    if (!/^-[a-zA-Z]*[Cx]$/.test(value)) continue;
    const word = argv[at + 1];
    const given = word?.value.replace(/^"[^"]*"\s*:?/, '') ?? '';
    if (word?.literal) inner.payloads.push(given);
    else inner.opaque = notLiteral;
  }
  return inner;
}

/** The words with which a program reads no commands from its input. */
const readers: Record<string, RegExp> = {
  at: /^-[lrdcVf]|^--?help$/,
  batch: /^-[Vf]/,
  crontab: /^-[lre]|^[^-]/,
  ed: /^--(?:help|version)$/,
  red: /^--(?:help|version)$/,
};

/** Schedulers and editors that do what they read, as a shell does. */
function readerInner({ argv, redirections }: Segment, idle: RegExp | undefined): Inner {
  if (argv.slice(1).some(({ value }) => idle?.test(value))) return noInner();
  const written = redirections.find(({ operator }) => operator.startsWith('<<'))?.input;
  const name = programName(argv[0]?.value ?? '');
  if (written === undefined || name === 'crontab') return { ...noInner(), opaque: readsInput };
  if (name === 'at' || name === 'batch') return { ...noInner(), payloads: [written] };
  const payloads = [...written.matchAll(/!+(.*)/g)].map(([, command = '']) => command);
  return { ...noInner(), payloads };
}

function makeInner(argv: readonly Word[]): Inner {
  const words = argv.map(({ value }) => value).join(' ');
  return /(?: -\w*f ?| --(?:make)?file[= ])(?:-|\/dev\/(?:stdin|fd))/.test(words)
    ? { ...noInner(), opaque: readsInput }
    : noInner();
}

function sedInner(argv: readonly Word[]): Inner {
  return sedRuns(argv.slice(1))
    ? { ...noInner(), opaque: 'its sed script runs commands' }
    : noInner();
}
