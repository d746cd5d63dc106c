import { sentenceBook } from '../contract/sentence-book.ts';

type Say = (text: string) => string;

let inChinese: Promise<Say> | null = null;

/** Read with the first text that needs it. Without its words a text stays English. */
function readChinese(): Promise<Say> {
  inChinese ??= import('../contract/sentences.zh-CN.json', { with: { type: 'json' } }).then(
    ({ default: sentences }) => {
      const say = sentenceBook(sentences);
      return (text) => say(text).text;
    },
    () => (text) => text,
  );
  return inChinese;
}

/** How what the host says is said in a language; undefined where it is said in that one already. Never rejects. */
export const sayIn = async (language: string): Promise<Say | undefined> =>
  /^zh\b/i.test(language) ? readChinese() : undefined;
