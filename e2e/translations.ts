import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Catalog, type Translate, Translator } from '../renderer-shell/core/messages/texts.ts';
import type { Language } from '../service/messages/languages.ts';

/** Loads the shell's texts in a language. The returned function throws for a key without a text. */
export async function loadTranslations(language: Language): Promise<Translate> {
  const file = join(import.meta.dirname, '..', 'service', 'messages', `${language}.json`);
  const { shell } = JSON.parse(await readFile(file, 'utf8')) as Catalog;
  const translator = new Translator();
  translator.add(language, shell);
  translator.language = language;
  return (key, values = {}) => {
    if (!translator.has(key) && values.defaultValue === undefined)
      throw new Error(`There is no text ${key}.`);
    return translator.t(key, values);
  };
}
