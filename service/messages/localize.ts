import { textOf } from './english.ts';
import { type Format, formatterOf, type TravellingMessage } from './format.ts';
import { languageOf, loadCatalog, type OtherLanguage } from './languages.ts';
import type { Message } from './message.ts';

const formats = new Map<OtherLanguage, Format>();
const reading = new Map<OtherLanguage, Promise<void>>();

/**
 * Loads the catalog of a language once. Never rejects: a failed load is repeated by the next call.
 */
export function readLanguage(tag: string): Promise<void> {
  const language = languageOf(tag);
  if (language === 'en') return Promise.resolve();
  const existing = reading.get(language);
  if (existing) return existing;
  const now = loadCatalog(language).then(
    (catalog) => void formats.set(language, formatterOf(catalog.service, language)),
    () => void reading.delete(language),
  );
  reading.set(language, now);
  return now;
}

function formatOf(tag: string): Format | null {
  const language = languageOf(tag);
  return language === 'en' ? null : (formats.get(language) ?? null);
}

/** Returns the text in a language; in English until `readLanguage` has loaded it. */
export const textIn = (tag: string, message: Message): string =>
  formatOf(tag)?.(message) ?? textOf(message);

/**
 * Returns a function that formats messages in a language, in English where the catalog has no text.
 * Never rejects.
 */
export async function messagesFor(
  tag: string,
): Promise<(message: TravellingMessage | undefined, english: string) => string> {
  await readLanguage(tag);
  const format = formatOf(tag);
  return (message, english) => (message && format?.(message)) ?? english;
}
