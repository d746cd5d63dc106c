import { textOf } from './english.ts';
import { type Format, formatterOf, type TravellingMessage } from './format.ts';
import { languageOf, loadCatalog, type OtherLanguage } from './languages.ts';
import type { Message } from './message.ts';

const formats = new Map<OtherLanguage, Format>();
const reading = new Map<OtherLanguage, Promise<void>>();

/** Reads the catalog of a language once. Never rejects: what cannot be read is read the next time. */
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

/** Returns the text in that language; English until `readLanguage` has read it. */
export const textIn = (tag: string, message: Message): string =>
  formatOf(tag)?.(message) ?? textOf(message);

/** Returns what says a message in that language; where it has no text for it, the English one stays. Never rejects. */
export async function messagesFor(
  tag: string,
): Promise<(message: TravellingMessage | undefined, english: string) => string> {
  await readLanguage(tag);
  const format = formatOf(tag);
  return (message, english) => (message && format?.(message)) ?? english;
}
