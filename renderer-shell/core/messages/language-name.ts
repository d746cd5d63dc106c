import { texts as names } from '../../../service/messages/languages.ts?names&shell';
import type { Language } from '../../../service/messages/languages.ts';

/** Returns what a language calls itself, as its catalog says. */
export function languageName(language: Language): string {
  const name = names[language];
  return typeof name === 'string' ? name : language;
}
