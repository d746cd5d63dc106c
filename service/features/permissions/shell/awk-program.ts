import { isDevice } from './device-file.ts';
import { readsInput } from './interpreters.ts';
import type { Word } from './segment.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** Commands that an awk program runs as written: `system("…")` and `"…" |`. More than awk runs. */
export function awkPayloads(argv: readonly Word[]): string[] {
  return argv.slice(1).flatMap(({ value }) => {
    const calls = value.matchAll(
      /system\s*\(\s*"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|(?!\|)/g,
    );
    const pipes = value.matchAll(/\|&?\s*"((?:[^"\\]|\\.)*)"/g);
    return [...calls, ...pipes].map(([, one, other]) => one ?? other ?? '').filter(Boolean);
  });
}

const notLiteral = msg('command.awkUnclear');

/** Why nobody can tell what an awk program runs; null: it runs nothing. */
export function awkOpacity(argv: readonly Word[]): Message | null {
  const { programs, files } = awkCode(argv.slice(1));
  if (programs === null || files.some(({ literal }) => !literal)) return notLiteral;
  if (files.some(({ value }) => isDevice(value))) return readsInput;
  if (programs.some(({ literal }) => !literal)) return notLiteral;
  return programs.some(({ value }) => runs(value)) ? msg('command.awkRuns') : null;
}

interface Code {
  /** Null: only the shell knows which word it is. */
  programs: Word[] | null;
  /** Files that hold a program. */
  files: Word[];
}

/** The program of an awk call: its first word that is no option, or what options name. */
function awkCode(words: readonly Word[]): Code {
  const programs: Word[] = [];
  const files: Word[] = [];
  let at = 0;
  for (let word = words[at]; word !== undefined && isOption(word); word = words[at]) {
    at += 1;
    if (word.value === '--') break;
    if (word.mayHideOption || word.value.startsWith('-W')) return { programs: null, files };
    const option = optionOf(word, words[at]);
    if (option === null) continue;
    if (option.isNext) at += 1;
    if (option.value !== undefined) (option.isProgram ? programs : files).push(option.value);
  }
  const first = words[at];
  if (first !== undefined && programs.length + files.length === 0) programs.push(first);
  return { programs, files };
}

const isOption = ({ value, mayHideOption }: Word): boolean => mayHideOption || /^-./.test(value);

interface CodeOption {
  isNext: boolean;
  isProgram: boolean;
  /** Undefined: it is a setting. */
  value: Word | undefined;
}

function optionOf(word: Word, next: Word | undefined): CodeOption | null {
  const [, name, inline = ''] = withValue.exec(word.value) ?? [];
  if (name === undefined) return null;
  const isSetting = /^-(?:[vF]|-as|-fie)/.test(name);
  const value = inline === '' ? next : { ...word, value: inline };
  const isProgram = /^-?-(?:e$|so)/.test(name);
  return { isNext: inline === '', isProgram, value: isSetting ? undefined : value };
}

/** Options with a value: of letters in the same word, of names behind a `=` or in the next one. */
const withValue = /^(-[vFfeEil]|--(?:as|fi|so|inc|loa|ex)[a-z-]*)=?([^]*)$/;

/** Operators and brackets behind which a slash starts a regular expression. */
const beforePattern = /(?:^|[(,{};!~&|?:=<>+\-*%^$[\n]|\b(?:print|printf|return|in|case|else|do))$/;

const maxCharacters = 10_000;

interface Bare {
  /** Without texts, regular expressions and comments. */
  text: string;
  /** A slash or a quote in it may also mean another thing than it was taken for. */
  isAmbiguous: boolean;
}

function bareProgram(program: string): Bare {
  const bare: Bare = { text: '', isAmbiguous: false };
  for (let rest = program; rest !== '';) {
    const found = literalAt(rest, bare.text);
    if (found === null) bare.text += rest.charAt(0);
    else bare.text += found.startsWith('#') ? '' : '""';
    bare.isAmbiguous ||= found !== null && isAmbiguous(found);
    rest = rest.slice(found?.length ?? 1);
  }
  bare.text = bare.text.replaceAll('||', ' ');
  return bare;
}

/** The text, comment or regular expression that a program begins with. */
function literalAt(rest: string, before: string): string | null {
  const delimiter = rest.charAt(0);
  if (delimiter === '"') return /^"(?:[^"\\\n]|\\[^])*"/.exec(rest)?.[0] ?? null;
  if (delimiter === '#') return /^#[^\n]*/.exec(rest)?.[0] ?? null;
  if (delimiter !== '/' || !beforePattern.test(before.trimEnd())) return null;
  return /^\/(?:\[\^?\]?[^\]\n]*\]|[^/\\\n[]|\\.)*\//.exec(rest)?.[0] ?? null;
}

const isAmbiguous = (literal: string): boolean =>
  literal.startsWith('"') ? literal.includes('/') : /^#|["#]|.\/./s.test(literal);

const runsSomething = /system|\||getline|@/;

function runs(program: string): boolean {
  if (program.length > maxCharacters) return true;
  const { text, isAmbiguous: open } = bareProgram(program);
  // Where a text does not end, it was read in another way than awk does.
  const isUnclear = open || text.replaceAll('""', '').includes('"');
  return (
    runsSomething.test(text) || (isUnclear && runsSomething.test(program.replaceAll('||', ' ')))
  );
}

/** Why an awk program may do more than compute and print. */
function awkDanger(program: string): Message | null {
  if (runs(program)) return msg('command.awkMayRun');
  let bare = bareProgram(program).text;
  for (let before = ''; before !== bare;) {
    before = bare;
    bare = bare.replaceAll(/\([^()]*\)/g, '_');
  }
  return /\bprintf?\b[^;}\n]*>/.test(bare) ? msg('command.awkMayWrite') : null;
}

/** Why an awk call may do more than compute and print. */
export function awkCallDanger(words: readonly Word[]): Message | null {
  const { programs } = awkCode(words);
  for (const { value, literal } of programs ?? []) {
    const danger = literal ? awkDanger(value) : notLiteral;
    if (danger !== null) return danger;
  }
  return programs === null ? notLiteral : null;
}
