import { type Language, loadCatalog } from '../../../service/messages/languages.ts';
import type { Format } from '../../../service/messages/format.ts';
import { formatterOf } from '../../../service/messages/format.ts';
import { texts as startTexts } from '../../../service/messages/en.json?groups=action,error,start,token,area,status,offline,palette,command,shortcuts,notifications,wrong,fieldName,drop&shell';
import type { ShellTexts } from './texts.ts';
import { Translator } from './texts.ts';

/** The texts of the page in the current language. */
export const translator = new Translator();
translator.add('en', startTexts);

/**
 * Adds the English texts of a screen that is loaded on demand; other languages are loaded as a
 * whole.
 */
export const addTexts = (texts: ShellTexts): void => translator.add('en', texts);

const formats = new Map<Language, Format>();

/**
 * Returns the formatter of the service's messages in the language of the page; null in English,
 * which the service itself answers.
 */
export const hostFormat = (): Format | null => formats.get(translator.language) ?? null;

let requested: Language = 'en';

/** Changes the language. Never rejects: a catalog that cannot be loaded leaves the language as it is until the next call. */
export async function setLanguage(language: Language): Promise<void> {
  requested = language;
  if (language !== 'en' && !formats.has(language)) {
    const catalog = await loadCatalog(language).catch(() => null);
    if (catalog === null) return;
    translator.add(language, catalog.shell);
    formats.set(language, formatterOf(catalog.service, language));
  }
  if (requested === language) translator.language = language;
}
