import { languageOf } from '../../../service/contract/languages.ts';
import type { HostTexts } from './host-texts.ts';
import { hostTexts, readHostTexts } from './host-texts.ts';
import { translator } from './translator.ts';

function textsOfLanguage(): HostTexts | null {
  const language = languageOf(translator.language);
  if (language === 'en') return null;
  const texts = hostTexts(language);
  if (texts === null) void readHostTexts(language);
  return texts;
}

/** What the host says in a sentence, in the language of the shell; what is not known, or of others, stays as it is. */
export const hostText = (text: string): string => textsOfLanguage()?.translate(text).text ?? text;

/**
 * A line of the log in the language of the shell: what failed, and behind a colon the reason, which
 * may be of others. Of both what is known.
 */
export function logText(line: string): string {
  const texts = textsOfLanguage();
  if (texts === null) return line;
  const translation = texts.translate(line);
  if (translation.whole) return translation.text;
  for (const { index } of line.matchAll(/: /g)) {
    const what = texts.translate(line.slice(0, index));
    if (what.whole)
      return `${what.text}${texts.colon}${texts.translate(line.slice(index + 2)).text}`;
  }
  return translation.text;
}

/** What the host says of a failure, in the language of the shell: by its code, or where that leaves more to tell by its sentence. */
export function problemText(code: string, detail: string): string {
  const texts = textsOfLanguage();
  if (texts === null) return detail;
  const text = Object.hasOwn(texts.problems, code) ? texts.problems[code] : undefined;
  if (text !== undefined && !text.includes('{{detail}}')) return text;
  const translation = texts.translate(detail);
  // Not by a pattern of `replace`: what the host says may hold one.
  return translation.whole
    ? translation.text
    : (text?.split('{{detail}}').join(translation.text) ?? translation.text);
}
