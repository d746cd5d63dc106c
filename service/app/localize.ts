import { type HostMessage, type Language, languageOf } from '../contract/index.ts';
import { sentenceBook } from '../contract/sentence-book.ts';
import { type Format, formatterOf } from '../messages/format.ts';

type Translate = (text: string) => string;
type Sentences = Parameters<typeof sentenceBook>[0];

/** The messages of the host are English. */
const sentences: Record<Exclude<Language, 'en'>, () => Promise<{ default: Sentences }>> = {
  'zh-CN': () => import('../contract/sentences.zh-CN.json', { with: { type: 'json' } }),
};

const reading = new Map<Language, Promise<Translate>>();

/** Loads the messages on first use. Where they cannot be loaded, messages stay English. */
function read(language: Exclude<Language, 'en'>): Promise<Translate> {
  const known = reading.get(language);
  if (known) return known;
  const translate = sentences[language]().then(
    ({ default: texts }): Translate => {
      const book = sentenceBook(texts);
      return (text) => book(text).text;
    },
    () => (text: string) => text,
  );
  reading.set(language, translate);
  return translate;
}

/** Returns the translator of the host's messages; undefined for English. Never rejects. */
export const translatorFor = async (tag: string): Promise<Translate | undefined> => {
  const language = languageOf(tag);
  return language === 'en' ? undefined : read(language);
};

const catalogs: Record<
  Exclude<Language, 'en'>,
  () => Promise<{ service: Parameters<typeof formatterOf>[0] }>
> = {
  'zh-CN': async () => (await import('../messages/zh-CN.json', { with: { type: 'json' } })).default,
};

const formats = new Map<Language, Promise<Format | null>>();

/** Loads the catalog on first use. */
function formatFor(language: Exclude<Language, 'en'>): Promise<Format | null> {
  const existing = formats.get(language);
  if (existing) return existing;
  const format = catalogs[language]().then(
    ({ service }) => formatterOf(service, language),
    () => null,
  );
  formats.set(language, format);
  return format;
}

/** Returns what says a message in that language; where it has no text for it, the English one stays. Never rejects. */
export async function messagesFor(
  tag: string,
): Promise<(message: HostMessage | undefined, english: string) => string> {
  const language = languageOf(tag);
  const format = language === 'en' ? null : await formatFor(language);
  return (message, english) => (message && format?.(message)) ?? english;
}
