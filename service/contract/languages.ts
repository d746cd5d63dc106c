/** The languages of the program. What its service says to a person is English at first. */
export const languages = ['en', 'zh-CN'] as const;
export type Language = (typeof languages)[number];

/** A text, or whatever differs, in each of them. */
export type InEachLanguage<T = string> = Readonly<Record<Language, T>>;

const primary = (tag: string): string => tag.split('-', 1)[0]?.toLowerCase() ?? '';

/** The language that fits a language tag best. */
export const languageOf = (tag: string): Language =>
  languages.find((language) => primary(language) === primary(tag)) ?? 'en';

/** The one that a switch between all of them leads to. */
export const languageAfter = (tag: string): Language =>
  languages[(languages.indexOf(languageOf(tag)) + 1) % languages.length] ?? 'en';
