import type { Notification } from '../contract/index.ts';
import { noticeIn } from '../contract/index.ts';
import { sentenceBook } from '../contract/sentence-book.ts';
import type { Desktop } from '../platform/desktop.ts';

type Say = (text: string) => string;

let inChinese: Promise<Say> | null = null;

/** Read with the first notice that needs it. Never rejects: without its words a reason stays English. */
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

/** Shows a notification on the desktop, in the language of the person. */
export async function tellNotice(
  desktop: Desktop,
  notification: Notification,
  language: string,
): Promise<void> {
  const say = /^zh\b/i.test(language) ? await readChinese() : undefined;
  desktop.notified?.({ ...notification, ...noticeIn(notification, language, say) });
}
