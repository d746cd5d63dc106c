import type { HostMessage } from '../../../service/contract/host-message.ts';
import { languageOf } from '../../../service/contract/languages.ts';
import { hostTexts, readHostTexts } from './host-texts.ts';
import { hostText } from './problem-texts.ts';
import { translator } from './translator.ts';

/**
 * As `hostMessage`, where what others said, or an earlier release of the host, has no message: it stays
 * as it is.
 */
export const messageOrAsSaid = (message: HostMessage | null | undefined, text: string): string =>
  message ? hostMessage(message, text) : text;

/**
 * Returns what the host says in the language of the shell. `english` is what the service answered; it
 * is shown in English, where there is no message since others said it, and until the catalog is there.
 */
export function hostMessage(message: HostMessage | undefined, english: string): string {
  const language = languageOf(translator.language);
  if (language === 'en') return english;
  if (message === undefined) return hostText(english);
  const texts = hostTexts(language);
  if (texts === null) void readHostTexts(language);
  return texts?.format(message) ?? english;
}
