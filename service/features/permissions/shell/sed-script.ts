import type { Word } from './segment.ts';

/**
 * Why a sed call may do more than print: its script has a command or flag that runs a program or
 * writes a file. Only the common commands are known; anything else counts as dangerous.
 */
export function sedDanger(words: readonly Word[]): string | null {
  const scripts = scriptsOf(words);
  if (scripts.some(({ literal }) => !literal)) return 'its sed script is not written out';
  return scripts.every(({ value }) => isHarmless(value))
    ? null
    : 'its sed script may run programs or write files';
}

/** Whether its script has the command `e`, or the flag of that name. */
export function sedRuns(words: readonly Word[]): boolean {
  return scriptsOf(words).some(
    ({ value }) =>
      !isHarmless(value) &&
      /(?:^|[;{}\n\d$!/])\s*e(?:\s|$)|([^\w\s])[gpIiMm\d]*e[gpIiMm\d]*\s*(?:[;}\n]|$)/.test(value),
  );
}

type Script = Pick<Word, 'value' | 'literal'>;

/** The arguments of `-e`, or the first word that is no option. */
function scriptsOf(words: readonly Word[]): Script[] {
  const given = words.flatMap(({ value, literal }, at): Script[] => {
    const inline = /^(?:--expression=|-[nErsuz]*e)(.+)$/s.exec(value)?.[1];
    if (inline !== undefined) return [{ value: inline, literal }];
    const next = words[at + 1];
    return next !== undefined && /^(?:--expression|-[nErsuz]*e)$/.test(value) ? [next] : [];
  });
  return given.length > 0 ? given : words.filter(({ value }) => !value.startsWith('-')).slice(0, 1);
}

const address = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)`;
const substitute = String.raw`[sy]([^\w\s\\])(?:(?!\1)[^\\\n]|\\[\s\S])*\1(?:(?!\1)[^\\\n]|\\[\s\S])*\1[gpiIm\d]*`;
const simple = String.raw`[pdqQDGHNPgnhxlz=]\d*|[btT]\s*\w*|:\s*\w+|[{}]`;
const command = new RegExp(
  String.raw`^[\s;]*(?:${address}(?:[,~]\+?${address})?\s*!?\s*)?(?:${substitute}|${simple})\s*(?=$|[;}\n]|(?<=[{}])|[{}])`,
);

function isHarmless(script: string): boolean {
  let rest = script;
  while (/[^\s;]/.test(rest)) {
    const found = command.exec(rest)?.[0] ?? '';
    if (found === '') return false;
    rest = rest.slice(found.length);
  }
  return true;
}
