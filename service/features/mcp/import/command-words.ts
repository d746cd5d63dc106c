import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

export interface Program {
  command: string;
  args: string[];
  wasSplit: boolean;
}

interface Word {
  text: string;
  end: number;
}

const looksLikePath = /^(?:~|\.{0,2}[/\\]|[A-Za-z]:[/\\])/;
const maxPathsTried = 32;

/**
 * A program and its arguments as two things, also where somebody wrote them as one text. A path with
 * blanks in it stays a path: of a text that begins like one, what is a file is the program, and where
 * nothing is, what stands before the first `-`.
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

/** How many of the words are the path of the program. */
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

/** Words between blanks; what stands between quotes is one. Backslashes are letters, as in paths. */
function splitWords(text: string): Word[] {
  return [...text.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(({ 0: word, index }) => ({
    text: word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
    end: index + word.length,
  }));
}
