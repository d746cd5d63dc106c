import type { SentenceBook } from '../../../service/contract/sentence-book.ts';
import { sentenceBook } from '../../../service/contract/sentence-book.ts';

/** What the host says, in Chinese; what it says itself is English. */
export interface HostTexts {
  /** What the codes of problems mean; `{{detail}}` is the sentence of the host. */
  problems: Readonly<Record<string, string>>;
  say: SentenceBook;
}

let texts: HostTexts | null = null;
let reading: Promise<void> | null = null;

/** Null until they were read. */
export const hostTexts = (): HostTexts | null => texts;

/** Reads them once. Never rejects: without an answer they are read the next time. */
export function readHostTexts(): Promise<void> {
  reading ??= Promise.all([
    import('./problems.zh-CN.json'),
    import('../../../service/contract/sentences.zh-CN.json'),
  ]).then(
    ([problems, sentences]) =>
      void (texts = { problems: problems.default.problem, say: sentenceBook(sentences.default) }),
    () => void (reading = null),
  );
  return reading;
}
