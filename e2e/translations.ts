import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInstance } from 'i18next';

const locales = join(import.meta.dirname, '..', 'renderer-shell', 'locales');

export type Translate = (key: string, values?: Record<string, unknown>) => string;

/** The words of the shell in a language, as its files of words have them. A key without words is refused. */
export async function loadTranslations(language: 'en' | 'zh-CN'): Promise<Translate> {
  const files = (await readdir(locales)).filter((file) => file.endsWith(`${language}.json`));
  const instance = createInstance();
  await instance.init({ lng: language, resources: {}, interpolation: { escapeValue: false } });
  for (const file of files) {
    const texts = JSON.parse(await readFile(join(locales, file), 'utf8')) as object;
    instance.addResourceBundle(language, 'translation', texts, true, true);
  }
  return (key, values = {}) => {
    if (!instance.exists(key, values)) throw new Error(`There are no words for ${key}.`);
    return instance.t(key, values);
  };
}
