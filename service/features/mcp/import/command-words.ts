import { stat } from 'node:fs/promises';

/**
 * A program and its arguments as two things, also where somebody wrote them as one text. A path with
 * blanks in it stays a path.
 */
export async function programAndArguments(
  command: string,
  args: readonly string[],
): Promise<{ command: string; args: string[]; wasSplit: boolean }> {
  const whole = { command, args: [...args], wasSplit: false };
  const trimmed = command.trim();
  if (!/\s/.test(trimmed) || (await isFile(trimmed))) return { ...whole, command: trimmed };
  const [program = '', ...rest] = wordsOf(trimmed);
  const isPath = /^(?:[./~]|[A-Za-z]:|\\\\)/.test(program);
  if (rest.length === 0) return { ...whole, command: program };
  if (isPath && !(await isFile(program))) return whole;
  return { command: program, args: [...rest, ...args], wasSplit: true };
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** Words between blanks; what stands between quotes is one. Backslashes are letters, as in paths. */
function wordsOf(text: string): string[] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
