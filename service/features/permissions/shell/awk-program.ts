import { isDevice } from './device-file.ts';
import { readsInput } from './interpreters.ts';
import type { Word } from './segment.ts';
import { type Message, msg } from '../../../messages/index.ts';

/**
 * Returns the literal commands that an awk program runs: `system("…")` and `"…" |`. May return more
 * than awk runs.
 */
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

/** Returns the reason why the commands of an awk program are unknown, null if it runs none. */
export function awkOpacity(argv: readonly Word[]): Message | null {
  const { programs, files } = awkCode(argv.slice(1));
  if (programs === null || files.some(({ literal }) => !literal)) return notLiteral;
  if (files.some(({ value }) => isDevice(value))) return readsInput;
  if (programs.some(({ literal }) => !literal)) return notLiteral;
  return programs.some(({ value }) => runs(value)) ? msg('command.awkRuns') : null;
}

interface Code {
  /** Null if only the shell knows which word it is. */
  programs: Word[] | null;
  /** Files that contain a program. */
  files: Word[];
}

/**
 * Finds the program of an awk call: its first word that is not an option, or the value of an
 * option.
 */
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
  /** Undefined for an option that is only a setting. */
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

/** Options with a value: for letters in the same word, for names after `=` or in the next word. */
const withValue = /^(-[vFfeEil]|--(?:as|fi|so|inc|loa|ex)[a-z-]*)=?([^]*)$/;

/** Operators and brackets after which a slash starts a regular expression. */
const beforePattern = /(?:^|[(,{};!~&|?:=<>+\-*%^$[\n]|\b(?:print|printf|return|in|case|else|do))$/;

const maxCharacters = 10_000;

interface Bare {
  /** The program without strings, regular expressions and comments. */
  text: string;
  /** True if a slash or a quote may have been misread. */
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

/** Returns the string, comment or regular expression at the start of the text. */
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
  // A string without an end was read differently than awk reads it.
  const isUnclear = open || text.replaceAll('""', '').includes('"');
  return (
    runsSomething.test(text) || (isUnclear && runsSomething.test(program.replaceAll('||', ' ')))
  );
}

/**
 * Returns the reason why an awk program may do more than compute and print, null if it does not.
 */
function awkDanger(program: string): Message | null {
  if (runs(program)) return msg('command.awkMayRun');
  let bare = bareProgram(program).text;
  for (let before = ''; before !== bare;) {
    before = bare;
    bare = bare.replaceAll(/\([^()]*\)/g, '_');
  }
  return /\bprintf?\b[^;}\n]*>/.test(bare) ? msg('command.awkMayWrite') : null;
}

/** Returns the reason why an awk call may do more than compute and print, null if it does not. */
export function awkCallDanger(words: readonly Word[]): Message | null {
  const { programs } = awkCode(words);
  for (const { value, literal } of programs ?? []) {
    const danger = literal ? awkDanger(value) : notLiteral;
    if (danger !== null) return danger;
  }
  return programs === null ? notLiteral : null;
}
