import type { Word } from './segment.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** Returns the reason why a sed call may do more than print, null if it only prints. */
export function sedDanger(words: readonly Word[]): Message | null {
  const scripts = scriptsOf(words);
  if (scripts.some(({ literal }) => !literal)) return msg('command.sedUnclear');
  return scripts.every(({ value }) => isMadeOf(value, harmless))
    ? null
    : msg('command.sedMayRunOrWrite');
}

/** Returns the reason why the commands of a sed call are unknown, null if it runs none. */
export function sedOpacity(words: readonly Word[]): Message | null {
  const scripts = scriptsOf(words);
  if (
    scripts.some(({ literal }) => !literal) ||
    words.some(({ mayHideOption, literal }, at) => at === 0 && mayHideOption && !literal)
  )
    return msg('command.sedUnclear');
  return scripts.every(({ value }) => isMadeOf(value, readable)) ? null : msg('command.sedMayRun');
}

type Script = Pick<Word, 'value' | 'literal'>;

/** Returns the values of `-e`, or the first word that is not an option. */
function scriptsOf(words: readonly Word[]): Script[] {
  const scripts = words.flatMap(({ value, literal }, at): Script[] => {
    const inline =
      /^(?:--e(?:x(?:p(?:r(?:e(?:s(?:s(?:i(?:on?)?)?)?)?)?)?)?)?=|-[nErsuzb]*e)(.+)$/s.exec(
        value,
      )?.[1];
    if (inline !== undefined) return [{ value: inline, literal }];
    const next = words[at + 1];
    return next !== undefined && /^(?:--e[a-z]*|-[nErsuzb]*e)$/.test(value) ? [next] : [];
  });
  return scripts.length > 0
    ? scripts
    : words.filter(({ value }) => !value.startsWith('-')).slice(0, 1);
}

const address = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/[IM]?|\\,(?:[^,\\\n]|\\.)*,[IM]?|\\\|(?:[^|\\\n]|\\.)*\|[IM]?|\\#(?:[^#\\\n]|\\.)*#[IM]?)`;
const substitute = String.raw`[sy]([^\w\s\\])(?:\[\^?\1\]|(?!\1)[^\\\n]|\\[\s\S])*\1(?:(?!\1)[^\\\n]|\\[\s\S])*\1[gpiIm\d]*`;
const simple = String.raw`[pdqQDGHNPgnhxlz=]\d*|[btT]\s*\w*|:\s*\w+|[{}]`;
/** Commands whose argument ends with the line. */
const texts = String.raw`[aic]\s*\\?\n?[^\n]*|[rRwW]\s*[^\n]+|[sy]([^\w\s\\])(?:(?!\2)[^\\\n]|\\[\s\S])*\2(?:(?!\2)[^\\\n]|\\[\s\S])*\2[gpiI\d]*w\s*[^\n]+`;

const commandOf = (kinds: string): RegExp =>
  new RegExp(
    String.raw`^[\s;]*(?:#[^\n]*|(?:${address}(?:,[~+]?${address})?\s*!?\s*)?(?:${kinds}))\s*(?=$|[;}\n#]|(?<=[{}])|[{}])`,
  );

const harmless = commandOf(`${substitute}|${simple}`);
const readable = commandOf(`${substitute}|${simple}|${texts}`);

function isMadeOf(script: string, command: RegExp): boolean {
  let rest = script;
  while (/[^\s;]/.test(rest)) {
    const found = command.exec(rest)?.[0] ?? '';
    if (found === '') return false;
    rest = rest.slice(found.length);
  }
  return true;
}
