import type { i18n } from 'i18next';
import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from '../../locales/en.json' with { type: 'json' };
import type { Language } from '../../../service/contract/languages.ts';
import { languages } from '../../../service/contract/languages.ts';
import type { OtherLanguage } from './host-texts.ts';
import { readHostTexts } from './host-texts.ts';

/** The words of the shell. React escapes what it renders, so i18next must not do it again. */
export const words: i18n = createInstance();

const readWords: Record<OtherLanguage, () => Promise<{ default: object }>> = {
  'zh-CN': () => import('../../locales/zh-CN.json'),
};
const spoken = new Set<Language>(['en']);

let wanted: Language = 'en';

/** Makes the words ready in the language that they are wanted in first. Never rejects. */
export async function loadWords(language: Language): Promise<void> {
  await words.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
  });
  await speak(language);
}

/** Changes the language. Without an answer of the host the words stay as they are, and are read the next time. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  if (language !== 'en' && !spoken.has(language)) {
    const reading = readWords[language]().catch(() => null);
    const [texts] = await Promise.all([reading, readHostTexts(language)]);
    if (!texts) return;
    words.addResourceBundle(language, 'translation', texts.default, true, true);
    spoken.add(language);
  }
  if (wanted === language && words.language !== language) await words.changeLanguage(language);
}

/** Adds the words of a screen that is read when it is opened: its files, `<name>.<language>.json`. */
export function addWords(files: Readonly<Record<string, object>>): void {
  for (const language of languages)
    for (const [path, texts] of Object.entries(files))
      if (path.endsWith(`.${language}.json`))
        words.addResourceBundle(language, 'translation', texts, true, true);
}
