import type { i18n } from 'i18next';
import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from '../../locales/en.json' with { type: 'json' };
import type { Language } from '../../../service/contract/languages.ts';
import { languages } from '../../../service/contract/languages.ts';
import type { OtherLanguage } from './host-texts.ts';
import { readHostTexts } from './host-texts.ts';

/** The words of the shell. React escapes what it renders, so i18next must not do it again. */
export const translator: i18n = createInstance();

const translationLoaders: Record<OtherLanguage, () => Promise<{ default: object }>> = {
  'zh-CN': () => import('../../locales/zh-CN.json'),
};
const loadedLanguages = new Set<Language>(['en']);

let requestedLanguage: Language = 'en';

/** Makes the words ready in the language that they are wanted in first. Never rejects. */
export async function loadTranslations(language: Language): Promise<void> {
  await translator.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
  });
  await setLanguage(language);
}

/** Changes the language. Without an answer of the host the words stay as they are, and are read the next time. */
export async function setLanguage(language: Language): Promise<void> {
  requestedLanguage = language;
  if (language !== 'en' && !loadedLanguages.has(language)) {
    const reading = translationLoaders[language]().catch(() => null);
    const [texts] = await Promise.all([reading, readHostTexts(language)]);
    if (!texts) return;
    translator.addResourceBundle(language, 'translation', texts.default, true, true);
    loadedLanguages.add(language);
  }
  if (requestedLanguage === language && translator.language !== language)
    await translator.changeLanguage(language);
}

/** Adds the words of a screen that is read when it is opened: its files, `<name>.<language>.json`. */
export function addTranslations(files: Readonly<Record<string, object>>): void {
  for (const language of languages)
    for (const [path, texts] of Object.entries(files))
      if (path.endsWith(`.${language}.json`))
        translator.addResourceBundle(language, 'translation', texts, true, true);
}
