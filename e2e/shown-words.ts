import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInstance } from 'i18next';

const locales = join(import.meta.dirname, '..', 'renderer-shell', 'locales');

export type ShownWords = (key: string, values?: Record<string, unknown>) => string;

/** The words of the shell in a language, as its files of words have them. A key without words is refused. */
export async function shownWords(language: 'en' | 'zh-CN'): Promise<ShownWords> {
  const files = (await readdir(locales)).filter((file) => file.endsWith(`${language}.json`));
  const words = createInstance();
  await words.init({ lng: language, resources: {}, interpolation: { escapeValue: false } });
  for (const file of files) {
    const texts = JSON.parse(await readFile(join(locales, file), 'utf8')) as object;
    words.addResourceBundle(language, 'translation', texts, true, true);
  }
  return (key, values = {}) => {
    if (!words.exists(key, values)) throw new Error(`There are no words for ${key}.`);
    return words.t(key, values);
  };
}
