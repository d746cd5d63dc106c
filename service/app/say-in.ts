import { type Language, languageOf } from '../contract/index.ts';
import { sentenceBook } from '../contract/sentence-book.ts';

type Say = (text: string) => string;
type Sentences = Parameters<typeof sentenceBook>[0];

/** What the host says is English. */
const sentences: Record<Exclude<Language, 'en'>, () => Promise<{ default: Sentences }>> = {
  'zh-CN': () => import('../contract/sentences.zh-CN.json', { with: { type: 'json' } }),
};

const reading = new Map<Language, Promise<Say>>();

/** Read with the first text that needs it. Without its words a text stays English. */
function read(language: Exclude<Language, 'en'>): Promise<Say> {
  const known = reading.get(language);
  if (known) return known;
  const say = sentences[language]().then(
    ({ default: texts }): Say => {
      const book = sentenceBook(texts);
      return (text) => book(text).text;
    },
    () => (text: string) => text,
  );
  reading.set(language, say);
  return say;
}

/** How what the host says is said in a language; undefined where it is said in that one already. Never rejects. */
export const sayIn = async (tag: string): Promise<Say | undefined> => {
  const language = languageOf(tag);
  return language === 'en' ? undefined : read(language);
};
