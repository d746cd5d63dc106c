import { readsInput } from './interpreters.ts';
import { programName } from './program-name.ts';
import type { Redirection, Segment } from './segment.ts';
import { type Inner, noInner } from './unwrap.ts';
import { msg } from '../../../messages/index.ts';

interface Reader {
  /** With a matching word it reads no commands from its input. */
  idle: RegExp;
  /** Start of a command in an input line; without it the whole text is one shell script. */
  command?: RegExp;
  /** Words of its own with which it runs something. */
  runs?: RegExp;
  /** From this many words on, those that are not options replace its input. */
  wordsInstead?: number;
}

const sql = /\\!|(?:^|[;\s])system\s|\\[oig]\b|\binto\s+(?:out|dump)file\b/im;
const mysqlRuns =
  /\\[!TPe.]|(?:^|[;\s=])(?:system|source|tee|pager|edit)(?:\s|$)|^--(?:pager|tee|init-command|defaults|plugin)/i;
const sqlite = /^\s*\.(?:sh|sy|o|ex|loa|im|b|sav|re|cl|ar|lo|tr|ed|cd|once|out)/m;

/** Programs that execute their input, as a shell does. */
const ownReaders: Record<string, Reader> = {
  at: { idle: /^-[lrdcVf]|^--?help$/ },
  batch: { idle: /^-[Vf]/ },
  crontab: { idle: /^-[lr]$/, command: /^never$/ },
  ed: { idle: /^--(?:help|version)$/, command: /!+(.*)/g, runs: /^!/ },
  red: { idle: /^--(?:help|version)$/, command: /!+(.*)/g, runs: /^!/ },
  mail: { idle: /^-[VH]$/, command: /~/, runs: /^-.*[~#]|^[|!]/ },
  mailx: { idle: /^-[VH]$/, command: /~/, runs: /^-.*[~#]|^[|!]/ },
  mutt: { idle: /^-[vDh]$/, command: /^never$/, runs: /^-[a-zA-Z]*[eF]/ },
  ftp: { idle: /^--help$/, command: /^\s*!(.*)/gm },
  sftp: { idle: /^-h$/, command: /^\s*!(.*)/gm },
  lftp: { idle: /^--(?:help|version)$/, command: /!(.*)/g, runs: /^-[a-zA-Z]*[ecf]/ },
  sqlite3: {
    idle: /^--?(?:help|version)$/,
    command: sqlite,
    runs: /^-?-(?:cmd|init)|(?:^|\n)\s*\.(?:sh|sy|o|ex|loa|im|b|sav|re|cl|ar|lo|tr|ed|cd)|\b(?:writefile|edit|load_extension|fts3_tokenizer)\s*\(/i,
    wordsInstead: 2,
  },
  psql: {
    idle: /^-(?:c|f|l)|^--(?:command|file|list|help|version)/,
    command: sql,
    runs: /\\(?:!|o\b|copy\b|i\b|ir\b|include|g\w*\b|w\b|setenv\b|ef?\b|ev\b|s\b)|\bcopy\b.*\bprogram\b|^\||^-[a-zA-Z]*o\||^--?o\w*=\|/i,
  },
  mysql: {
    idle: /^-[a-zA-Z]*e|^--(?:execute|help|version)/,
    command: sql,
    runs: mysqlRuns,
  },
  mariadb: {
    idle: /^-[a-zA-Z]*e|^--(?:execute|help|version)/,
    command: sql,
    runs: mysqlRuns,
  },
};

const fromInput = /^-$|^(?:-f|--f\w*=)-$|\/dev\/|\/proc\//;

/** By program name; some behave like another one. */
export const readers: Record<string, Reader> = {
  ...ownReaders,
  ...alike('sqlite3', 'sqlite', 'duckdb', 'litecli'),
  ...alike('psql', 'pgcli', 'usql'),
  ...alike('mysql', 'mycli'),
};

function alike(existing: string, ...others: readonly string[]): Record<string, Reader> {
  const reader = ownReaders[existing];
  return reader === undefined ? {} : Object.fromEntries(others.map((name) => [name, reader]));
}

export const readerOf = (name: string): Reader | undefined =>
  Object.hasOwn(readers, name) ? readers[name] : undefined;

/** Returns the commands of such a program, from its words and from input text in the line. */
export function readerInner(segment: Segment, reader: Reader): Inner {
  const words = segment.argv.slice(1);
  if (words.some(({ value }) => reader.runs?.test(value) === true))
    return { ...noInner(), opaque: msg('command.wordsRun') };
  if (words.some((word) => word.mayHideOption && reader.runs !== undefined && !word.literal))
    return { ...noInner(), opaque: msg('command.runsUnclear') };
  if (words.some(({ value }) => fromInput.test(value))) return { ...noInner(), opaque: readsInput };
  if (words.some(({ value }) => reader.idle.test(value))) return noInner();
  const plain = words.filter(({ value }) => !value.startsWith('-'));
  if (reader.wordsInstead !== undefined && plain.length >= reader.wordsInstead) return noInner();
  const input = writtenInput(segment.redirections);
  if (input === null) return { ...noInner(), opaque: readsInput };
  return inputInner(input, reader, programName(segment.argv[0]?.value ?? ''));
}

/** Returns the input of a program if the line contains it, otherwise null. */
export function writtenInput(redirections: readonly Redirection[]): string | null {
  const inputs = redirections.filter(({ operator }) => operator.startsWith('<'));
  const [only] = inputs;
  const isInput = inputs.length === 1 && /^0*$/.test(only?.descriptor ?? '');
  return isInput ? (only?.input ?? null) : null;
}

function inputInner(input: string, { command }: Reader, name: string): Inner {
  if (name === 'crontab') return { ...noInner(), opaque: readsInput };
  if (command === undefined) return { ...noInner(), payloads: [input] };
  if (command.global) {
    const payloads = [...input.matchAll(command)].map(([, text = '']) => text);
    return { ...noInner(), payloads };
  }
  return command.test(input) ? { ...noInner(), opaque: msg('command.inputRuns') } : noInner();
}
