import { IntlMessageFormat } from 'intl-messageformat';
import type { Language, ShellTexts } from '../../../service/messages/languages.ts';

export type { Catalog, ShellTexts } from '../../../service/messages/languages.ts';

/**
 * `defaultValue` is used for keys without a text. Null and undefined are rendered as an empty
 * string.
 */
export type TranslationValues = Readonly<Record<string, unknown>> & { defaultValue?: string };
export type Translate = (key: string, values?: TranslationValues) => string;

/** Texts in several languages; a key without a translation falls back to English. */
export class Translator {
  #language: Language = 'en';
  readonly #texts = new Map<Language, Map<string, string>>();
  readonly #compiled = new Map<string, IntlMessageFormat>();
  readonly #listeners = new Set<() => void>();

  get language(): Language {
    return this.#language;
  }

  set language(language: Language) {
    if (language === this.#language) return;
    this.#language = language;
    this.t = this.#translate.bind(this);
    for (const listener of this.#listeners) listener();
  }

  /** A new function for each language, so that everything rendered with it is rendered again. */
  t: Translate = this.#translate.bind(this);

  add(language: Language, texts: ShellTexts): void {
    const flat = this.#texts.get(language) ?? new Map<string, string>();
    this.#texts.set(language, flat);
    addFlat(flat, texts, '');
  }

  has(key: string, language: Language = this.#language): boolean {
    return this.#texts.get(language)?.has(key) ?? false;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #translate(key: string, values: TranslationValues = {}): string {
    const language = this.has(key) ? this.#language : 'en';
    const text = this.#texts.get(language)?.get(key);
    if (text === undefined) return values.defaultValue ?? key;
    return text.includes('{') ? this.#format(text, language, values) : text;
  }

  #format(text: string, language: Language, values: TranslationValues): string {
    const cacheKey = `${language}:${text}`;
    const existing = this.#compiled.get(cacheKey);
    const compiled =
      existing ?? new IntlMessageFormat(text, language, undefined, { ignoreTag: true });
    this.#compiled.set(cacheKey, compiled);
    const printable = Object.entries(values).map(([name, value]) => [name, value ?? '']);
    return String(compiled.format(Object.fromEntries(printable) as Record<string, string>));
  }
}

function addFlat(flat: Map<string, string>, texts: ShellTexts, prefix: string): void {
  for (const [name, text] of Object.entries(texts))
    if (typeof text === 'string') flat.set(prefix + name, text);
    else addFlat(flat, text, `${prefix}${name}.`);
}
