import type { HostMessage } from '../contract/host-message.ts';
import { type Language, languageOf } from '../contract/index.ts';
import { sentenceBook } from '../contract/sentence-book.ts';
import { formatterOf, type Texts } from '../messages/format.ts';

/** `message`: what the text says, where the host says it. */
type Translate = (text: string, message?: HostMessage) => string;
type Sentences = Parameters<typeof sentenceBook>[0];
type OtherLanguage = Exclude<Language, 'en'>;

/** The messages of the host are English. */
const sentences: Record<OtherLanguage, () => Promise<{ default: Sentences }>> = {
  'zh-CN': () => import('../contract/sentences.zh-CN.json', { with: { type: 'json' } }),
};

const catalogs: Record<OtherLanguage, () => Promise<{ default: { service: Texts } }>> = {
  'zh-CN': () => import('../messages/zh-CN.json', { with: { type: 'json' } }),
};

const reading = new Map<Language, Promise<Translate>>();

/** Loads the messages on first use. Where they cannot be loaded, messages stay English. */
function read(language: OtherLanguage): Promise<Translate> {
  const known = reading.get(language);
  if (known) return known;
  const translate = Promise.all([sentences[language](), catalogs[language]()]).then(
    ([{ default: texts }, { default: catalog }]): Translate => {
      const book = sentenceBook(texts);
      const format = formatterOf(catalog.service, language);
      return (text, message) =>
        message === undefined ? book(text).text : (format(message) ?? text);
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
