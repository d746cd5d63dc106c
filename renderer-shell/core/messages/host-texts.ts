import type { Language } from '../../../service/contract/languages.ts';
import type { SentenceTranslator } from '../../../service/contract/sentence-translator.ts';
import { createSentenceTranslator } from '../../../service/contract/sentence-translator.ts';

/** Translations of the host's messages, which are English. */
export interface HostTexts {
  /** What the codes of problems mean; `{{detail}}` is the sentence of the host. */
  problems: Readonly<Record<string, string>>;
  translate: SentenceTranslator;
  /** Stands between what failed and the reason. */
  colon: string;
}

export type OtherLanguage = Exclude<Language, 'en'>;

const read: Record<OtherLanguage, () => Promise<HostTexts>> = {
  'zh-CN': async () => {
    const [problems, sentences] = await Promise.all([
      import('./problems.zh-CN.json'),
      import('../../../service/contract/sentences.zh-CN.json'),
    ]);
    const translate = createSentenceTranslator(sentences.default);
    return { problems: problems.default.problem, translate, colon: '：' };
  },
};

const texts = new Map<OtherLanguage, HostTexts>();
const reading = new Map<OtherLanguage, Promise<void>>();

/** Null until they were read. */
export const hostTexts = (language: OtherLanguage): HostTexts | null => texts.get(language) ?? null;

/** Reads them once. Never rejects: without an answer they are read the next time. */
export function readHostTexts(language: OtherLanguage): Promise<void> {
  const existing = reading.get(language);
  if (existing) return existing;
  const now = read[language]().then(
    (found) => void texts.set(language, found),
    () => void reading.delete(language),
  );
  reading.set(language, now);
  return now;
}
