export const languages = ['en', 'zh-CN'] as const;
export type Language = (typeof languages)[number];

/** The language of the shell that fits a language tag best. */
export const languageOf = (tag: string): Language => (/^zh\b/i.test(tag) ? 'zh-CN' : 'en');
