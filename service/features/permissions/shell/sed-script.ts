import type { Word } from './segment.ts';

/**
 * Why a sed call may do more than print: its script has a command or flag that runs a program or
 * writes a file. Only the common commands are known; anything else counts as dangerous.
 */
export function sedDanger(words: readonly Word[]): string | null {
  for (const script of scriptsOf(words)) {
    if (script === null) return 'its sed script is not written out';
    if (!isHarmless(script)) return 'its sed script may run programs or write files';
  }
  return null;
}

/** The arguments of `-e`, or the first word that is no option; null for one that is not literal. */
function scriptsOf(words: readonly Word[]): (string | null)[] {
  const scripts: (string | null)[] = [];
  let first: string | null | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const { value, literal } = words[at]!;
    const inline = /^(?:--expression=|-[nErsuz]*e)(.+)$/s.exec(value)?.[1];
    if (inline !== undefined) scripts.push(literal ? inline : null);
    else if (/^(?:--expression|-[nErsuz]*e)$/.test(value)) {
      const next = words[(at += 1)];
      scripts.push(next?.literal ? next.value : null);
    } else if (!value.startsWith('-') && first === undefined) first = literal ? value : null;
  }
  return scripts.length > 0 || first === undefined ? scripts : [first];
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
    const found = command.exec(rest)?.[0];
    if (found === undefined || found === '') return false;
    rest = rest.slice(found.length);
  }
  return true;
}
