import type { HostMessage } from '../../../service/contract/host-message.ts';
import { languageOf } from '../../../service/contract/languages.ts';
import { hostTexts, readHostTexts } from './host-texts.ts';
import { hostText } from './problem-texts.ts';
import { translator } from './translator.ts';

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
