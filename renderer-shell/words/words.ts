import type { i18n } from 'i18next';
import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from '../locales/en.json' with { type: 'json' };
import zhCN from '../locales/zh-CN.json' with { type: 'json' };

export const languages = ['en', 'zh-CN'] as const;
export type Language = (typeof languages)[number];

/** The language of the shell that fits a language tag best. */
export const languageOf = (tag: string): Language => (/^zh\b/i.test(tag) ? 'zh-CN' : 'en');

/** The words of the shell. React escapes what it renders, so i18next must not do it again. */
export const words: i18n = createInstance();

export async function loadWords(): Promise<void> {
  await words.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en }, 'zh-CN': { translation: zhCN } },
    interpolation: { escapeValue: false },
  });
}

/** Adds the words of a screen that is read when it is opened: an object of groups for each language. */
export function addWords(texts: Record<Language, object>): void {
  for (const language of languages)
    words.addResourceBundle(language, 'translation', texts[language], true, true);
}
