import { texts as names } from '../../../service/messages/languages.ts?names&shell';
import type { Language } from '../../../service/messages/languages.ts';

/** Returns what a language calls itself, as its catalog says. */
export const languageName = (language: Language): string => String(names[language] ?? language);
