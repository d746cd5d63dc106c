import type { Texts } from './format.ts';

/** The texts of a language: those of the service by code, those of the shell by group. */
export interface Catalog {
  readonly service: Texts;
  readonly shell: ShellTexts;
}

/** Texts of the shell, nested by group. */
export interface ShellTexts {
  readonly [name: string]: string | ShellTexts;
}

type Load = () => Promise<{ default: Catalog }>;

/** Languages besides English, in display order. A new language needs a catalog and a line here. */
const catalogs = {
  'zh-CN': () => import('./zh-CN.json', { with: { type: 'json' } }),
  de: () => import('./de.json', { with: { type: 'json' } }),
} as const satisfies Record<string, Load>;

export type OtherLanguage = keyof typeof catalogs;
/** Tags of BCP 47. The service itself defaults to English. */
export type Language = 'en' | OtherLanguage;

export const languages: readonly Language[] = ['en', ...(Object.keys(catalogs) as OtherLanguage[])];

/** Loads the catalog of a language. Later calls return the same module. */
export const loadCatalog = async (language: OtherLanguage): Promise<Catalog> =>
  (await catalogs[language]()).default;

const primary = (tag: string): string => tag.split('-', 1)[0]?.toLowerCase() ?? '';

const matchOf = (tag: string): Language | undefined =>
  languages.find((language) => language.toLowerCase() === tag.toLowerCase()) ??
  languages.find((language) => primary(language) === primary(tag));

/**
 * Returns the language that fits the tag best; for several tags, the first that has one. English if
 * there is none.
 */
export const languageOf = (...tags: readonly string[]): Language =>
  tags.map(matchOf).find((language) => language !== undefined) ?? 'en';

/** Returns the languages that a page in the given language offers. */
export const otherLanguages = (tag: string): Language[] =>
  languages.filter((language) => language !== languageOf(tag));
