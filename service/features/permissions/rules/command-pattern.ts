import { programName } from '../shell/program-name.ts';
import { type Glob, globOf, matchesGlob } from './glob.ts';

/** The pattern of a command rule. It ends at a word boundary, unless it ends in a star. */
export interface CommandPattern {
  glob: Glob;
  /** The same pattern with the bare program name, as deny and ask rules compare it. */
  byName: Glob;
  /** The name of the program if it is literal, null if a star may match part of it. */
  program: string | null;
  /** True if it ended in `:*` or ` *`: more words may follow. */
  open: boolean;
  /** The words after the program, null if the pattern contains a star. */
  words: string[] | null;
}

/** Parses the text between the brackets of `Command(…)`. */
export function commandPattern(inside: string): CommandPattern {
  const written = inside.trim();
  const text = written.replace(/(?<!\\)(?::\*| \*)$/, '');
  const glob = globOf(text);
  const [first, rest] = splitFirst(text);
  const name = globOf(first);
  const program = name.length === 1 ? programName(name.join('')) : null;
  const byName = program === null ? glob : globOf([program, rest].join(' ').trimEnd());
  const words = glob.length === 1 ? glob.join('').split(/\s+/).slice(1) : null;
  return { glob, byName, program, open: text !== written, words };
}

function splitFirst(text: string): [string, string] {
  const at = text.search(/\s/);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at).trimStart()];
}

/** Matches an allow rule: the whole literal text, or its beginning up to a word boundary. */
export function allowsText(
  { glob, open }: Pick<CommandPattern, 'glob' | 'open'>,
  text: string,
): boolean {
  if (glob.length === 1) return startsWithWords(text, glob.join(''));
  return open ? matchesStart(glob, text) : matchesGlob(glob, text);
}

/** Matches a deny or ask rule: one of the readings, or its beginning up to a word boundary. */
export function forbidsText(
  { byName, glob }: CommandPattern,
  readings: readonly string[],
): boolean {
  return readings.some((text) => matchesStart(byName, text) || matchesStart(glob, text));
}

function matchesStart(glob: Glob, text: string): boolean {
  if (glob.length === 1) return startsWithWords(text, glob.join(''));
  return (
    matchesGlob(glob, text) || matchesGlob([...glob.slice(0, -1), `${glob.at(-1)} `, ''], text)
  );
}

function startsWithWords(text: string, start: string): boolean {
  return text.startsWith(start) && (text.length === start.length || text[start.length] === ' ');
}
