import { assigned, hidesSubstitution } from './assigned.ts';
import { awkOpacity, awkPayloads } from './awk-program.ts';
import { optionCommands, optionOpacity } from './dangerous-options.ts';
import { isDevice } from './device-file.ts';
import { fdInner, findInner } from './found-commands.ts';
import { asGit } from './git-command.ts';
import { gitInner } from './git-inner.ts';
import { interpreterOf, interpreterOpacity, readsInput } from './interpreters.ts';
import { makeInner } from './make-command.ts';
import { programName } from './program-name.ts';
import { readerInner, readerOf, writtenInput } from './reader-commands.ts';
import { sedOpacity } from './sed-script.ts';
import { literalWord, type Segment, type Word } from './segment.ts';
import { programArgument } from './program-argument.ts';
import { type Inner, joined, noInner, takePayload, unwrap } from './unwrap.ts';
import { shells } from './wrappers.ts';
import { type Message, msg } from '../../../messages/index.ts';

const notLiteral = msg('command.runsUnclear');

/** Returns the commands that a program runs, as far as its words tell. */
export function innerOf(segment: Segment): Inner {
  const [program] = segment.argv;
  if (program === undefined) return noInner();
  if (!program.literal) return { ...noInner(), opaque: msg('command.programUnclear') };
  // The rest of `time -f %e make`, if the shell parses `time` as its keyword.
  if (program.value.startsWith('-')) return unwrap([literalWord('time'), ...segment.argv]);
  const argv = [...asGit(segment.argv)];
  const [{ value } = program] = argv;
  const name = programName(value);
  if (shells.has(name)) return shellInner(segment);
  const reader = readerOf(name);
  if (reader !== undefined) return readerInner(segment, reader);
  const inner = plainInner({ ...segment, argv }, name);
  inner.opaque ??= wordsOpacity(argv);
  for (const word of optionCommands(segment.argv)) takePayload(word, inner);
  return inner;
}

/** Returns the reason why the words leave open what a command runs. */
const wordsOpacity = (argv: readonly Word[]): Message | undefined =>
  optionOpacity(argv) ?? programArgument(argv) ?? undefined;

function plainInner(segment: Segment, name: string): Inner {
  const language = interpreterOf(name);
  if (language !== undefined) {
    const inner = { ...noInner(), payloads: spawnPayloads(segment.argv) };
    const opaque = interpreterOpacity(language, segment);
    return opaque === null ? inner : { ...inner, opaque };
  }
  const special = Object.hasOwn(specials, name) ? specials[name] : undefined;
  return special?.(segment.argv) ?? unwrap(segment.argv);
}

const specials: Record<string, (argv: readonly Word[]) => Inner> = {
  eval: (argv) => payloadInner(joined(argv.slice(argv[1]?.value === '--' ? 2 : 1))),
  trap: trapInner,
  alias: aliasInner,
  '.': sourceInner,
  source: sourceInner,
  find: findInner,
  fd: fdInner,
  fdfind: fdInner,
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
  cmake: cmakeInner,
  jobs: (argv) =>
    argv[1]?.value === '-x' ? unwrap([literalWord('nohup'), ...argv.slice(2)]) : noInner(),
  enable: () => ({ ...noInner(), unsafe: msg('command.changesNames') }),
  hash: () => ({ ...noInner(), unsafe: msg('command.changesNames') }),
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
    ['mapfile', 'readarray', 'complete', 'compgen', 'bind'].map((name) => [name, callbackInner]),
  ),
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

/** Options, then a script or `-c` and a text; without either, the shell runs its input. */
function shellInner({ argv, redirections }: Segment): Inner {
  const options = shellOptions(argv);
  if (options === null) return noInner();
  if (options.open) return { ...noInner(), opaque: notLiteral };
  const word = argv[options.next];
  if (options.takesText) return word === undefined ? noInner() : payloadInner(word);
  if (word !== undefined && !options.readsInput)
    return word.literal ? scriptFile(word) : { ...noInner(), opaque: notLiteral };
  const input = writtenInput(redirections);
  return input === null
    ? { ...noInner(), opaque: readsInput }
    : { ...noInner(), payloads: [input] };
}

interface ShellOptions {
  /** The index of the first word after the options. */
  next: number;
  takesText: boolean;
  readsInput: boolean;
  /** True if one of the options is not literal. */
  open: boolean;
}

/** Returns null if the shell runs nothing. */
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
  return isDevice(value) ? { ...noInner(), opaque: readsInput } : noInner();
}

/** Code of other languages is not parsed, but its literal shell commands are found. */
function spawnPayloads(argv: readonly Word[]): string[] {
  const calls =
    /(?:system|popen|exec\w*|spawn\w*|run|call|check_output|getoutput)\s*\(?\s*\[?\s*(["'`])((?:(?!\1).)*)\1/gs;
  return argv.slice(1).flatMap(({ value }) => {
    const found = [...value.matchAll(calls), ...value.matchAll(/(`)([^`]*)`/g)];
    return found.map(([, , text = '']) => text);
  });
}

/** Returns the command that a tmux window runs. */
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
  return { ...inner, unsafe: msg('command.changesNames') };
}

function sourceInner(argv: readonly Word[]): Inner {
  const [, file] = argv;
  if (file === undefined) return noInner();
  return file.literal ? scriptFile(file) : { ...noInner(), opaque: notLiteral };
}

function awkInner(argv: readonly Word[]): Inner {
  const inner = { ...noInner(), payloads: awkPayloads(argv) };
  const opaque = awkOpacity(argv);
  return opaque === null ? inner : { ...inner, opaque };
}

/** Commands that evaluate subscripts of names. */
function subscriptInner(argv: readonly Word[]): Inner {
  const evaluates = argv.slice(1).some(({ text }) => hidesSubstitution(text));
  return evaluates ? { ...noInner(), opaque: notLiteral } : noInner();
}

function declarationInner(argv: readonly Word[]): Inner {
  const inner = subscriptInner(argv);
  for (const { value, literal } of argv.slice(1)) {
    const [, name, assignedValue = ''] = /^(\w+)\+?=([^]*)$/.exec(value) ?? [];
    if (name === undefined) continue;
    const { payload, opaque } = assigned(name, literal ? assignedValue : null);
    if (payload !== undefined) inner.payloads.push(payload);
    inner.opaque ??= opaque;
  }
  return inner;
}

/** `mapfile -C command`, `complete -C command`, `bind -x '"key": command'`. */
function callbackInner(argv: readonly Word[]): Inner {
  const inner = subscriptInner(argv);
  for (const [at, word] of argv.entries()) {
    const [, inline] = /^-[a-zBPSV]*[Cx]([^]*)$/.exec(word.value) ?? [];
    if (inline === undefined) continue;
    const callback = inline === '' ? argv[at + 1] : { ...word, value: inline };
    // A number and an input line are appended to the callback.
    if (callback?.literal)
      inner.payloads.push(`${callback.value.replace(/^"[^"]*"\s*:?/, '')} "$0" "$1"`);
    else inner.opaque = notLiteral;
  }
  return inner;
}

/** `cmake -E env …` and similar commands run the words after them. */
function cmakeInner(argv: readonly Word[]): Inner {
  const at = argv.findIndex(({ value }) => value === '-E');
  const tool = argv[at + 1]?.value ?? '';
  if (at < 0) return noInner();
  if (tool === 'env') return unwrap([literalWord('env'), ...cmakeCommand(argv.slice(at + 2))]);
  if (tool === 'time') return unwrap([literalWord('nohup'), ...argv.slice(at + 2)]);
  if (tool === 'chdir') return unwrap([literalWord('nohup'), ...argv.slice(at + 3)]);
  if (!cmakeTools.test(tool)) return { ...noInner(), opaque: notLiteral };
  return /^(?:rm|remove|remove_directory)$/.test(tool)
    ? {
        ...noInner(),
        commands: [{ argv: [literalWord('rm'), ...argv.slice(at + 2)], assignments: [] }],
      }
    : noInner();
}

const cmakeTools =
  /^(?:capabilities|cat|compare_files|copy|copy_directory|copy_directory_if_different|copy_if_different|create_hardlink|create_symlink|echo|echo_append|environment|make_directory|md5sum|sha\d+sum|rename|rm|remove|remove_directory|sleep|tar|touch|touch_nocreate|true|false)$/;

/** Without `--unset=NAME` and `--modify`, which `env` does not have. */
const cmakeCommand = (words: readonly Word[]): Word[] =>
  words.filter(({ value }) => !/^--(?:unset|modify)/.test(value));

function sedInner(argv: readonly Word[]): Inner {
  const opaque = sedOpacity(argv.slice(1));
  return opaque === null ? noInner() : { ...noInner(), opaque };
}
