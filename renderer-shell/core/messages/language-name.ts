import { texts as names } from '../../../service/messages/languages.ts?names&shell';
import type { Language } from '../../../service/messages/languages.ts';

/** Returns the native name of a language, from its catalog. */
export function languageName(language: Language): string {
  const name = names[language];
  return typeof name === 'string' ? name : language;
}
