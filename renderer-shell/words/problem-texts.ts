import { words } from './words.ts';

const inChinese = 'zh-CN';
let texts: Record<string, string> | null = null;
let reading: Promise<void> | null = null;

/** Reads what the codes of the host mean in Chinese; what it says itself is English. Never rejects. */
export function readProblemTexts(): Promise<void> {
  reading ??= import('./problems.zh-CN.json').then(
    (read) => void (texts = read.default.problem),
    () => void (reading = null),
  );
  return reading;
}

/** Resolves once `problemText` knows its words in the language of the shell. */
export const problemTextsRead = (): Promise<void> =>
  words.language === inChinese ? readProblemTexts() : Promise.resolve();

// Read once the language is chosen, so that the words are there before something goes wrong.
words.on('languageChanged', (language) => {
  if (language === inChinese) void readProblemTexts();
});

/** What the host says of a failure, in the language of the shell; a code that is not known says it as the host does. */
export function problemText(code: string, detail: string): string {
  if (words.language !== inChinese) return detail;
  const text = texts && Object.hasOwn(texts, code) ? texts[code] : undefined;
  if (texts === null) void readProblemTexts();
  // Not by a pattern of `replace`: what the host says may hold one.
  return text?.split('{{detail}}').join(detail) ?? detail;
}
