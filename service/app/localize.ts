import { type HostMessage, type Language, languageOf } from '../contract/index.ts';
import { type Format, formatterOf, type Texts } from '../messages/format.ts';

/** English is built in and needs no catalog. */
const catalogs: Record<Exclude<Language, 'en'>, () => Promise<{ default: { service: Texts } }>> = {
  'zh-CN': () => import('../messages/zh-CN.json', { with: { type: 'json' } }),
};

const formats = new Map<Language, Promise<Format | null>>();

/** Loads the catalog on first use. Null when it cannot be loaded. */
function formatFor(language: Exclude<Language, 'en'>): Promise<Format | null> {
  const existing = formats.get(language);
  if (existing) return existing;
  const format = catalogs[language]().then(
    ({ default: catalog }) => formatterOf(catalog.service, language),
    () => null,
  );
  formats.set(language, format);
  return format;
}

/**
 * Returns a formatter of messages in that language. Messages without a translation stay English.
 * Never rejects.
 */
export async function messagesFor(
  tag: string,
): Promise<(message: HostMessage | undefined, english: string) => string> {
  const language = languageOf(tag);
  const format = language === 'en' ? null : await formatFor(language);
  return (message, english) => (message && format?.(message)) ?? english;
}
