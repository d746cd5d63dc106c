import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

/** A program with separate arguments. */
export interface Program {
  command: string;
  args: string[];
  /** True if one text was split into both. */
  wasSplit: boolean;
}

interface Word {
  text: string;
  end: number;
}

const looksLikePath = /^(?:~|\.{0,2}[/\\]|[A-Za-z]:[/\\])/;
const maxPathsTried = 32;

/**
 * Separates program and arguments, also if they were written as one text. A path with spaces stays
 * a path: if the text starts like a path, the longest existing file is the program, otherwise the
 * text before the first `-`.
 */
export async function programAndArguments(
  written: string,
  args: readonly string[],
  cwd = '',
): Promise<Program> {
  const text = written.trim();
  const words = splitWords(text);
  const [first] = words;
  if (!first || words.length === 1)
    return { command: first?.text ?? text, args: [...args], wasSplit: false };
  const count = looksLikePath.test(text) ? await pathWordCount(text, words, cwd) : 1;
  const command = count === 1 ? first.text : text.slice(0, words[count - 1]?.end);
  const rest = words.slice(count).map((word) => word.text);
  return { command, args: [...rest, ...args], wasSplit: rest.length > 0 };
}

/** Number of words that belong to the path of the program. */
async function pathWordCount(text: string, words: readonly Word[], cwd: string): Promise<number> {
  const ends = words.slice(0, maxPathsTried).map(({ end }) => end);
  for (const end of [text.length, ...ends])
    if (await isFile(resolve(cwd, text.slice(0, end))))
      return words.filter((word) => word.end <= end).length;
  const firstOption = words.findIndex((word) => word.text.startsWith('-'));
  return firstOption === -1 ? words.length : firstOption;
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** Splits at spaces outside of quotes. Backslashes are ordinary characters, as in paths. */
function splitWords(text: string): Word[] {
  return [...text.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(({ 0: word, index }) => ({
    text: word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
    end: index + word.length,
  }));
}
