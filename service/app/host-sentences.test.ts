import { expect, it } from 'vitest';
import { hostSentences } from '../testing/host-sentences.ts';
import { createSentenceTranslator } from '../contract/sentence-translator.ts';
import sentences from '../contract/sentences.zh-CN.json' with { type: 'json' };

/** Commands, names and what is sent to programs: the same in every language. */
const asTheyAre = new Set([
  'HTTP/1.1 200 Connection Established',
  'PRAGMA busy_timeout=5000; PRAGMA wal_checkpoint(TRUNCATE);',
  'SQLite format 3\u0000',
  'Start Menu',
  'apt-get install {1}',
  'Bearer {1}',
  'Plugin Host',
  'echo hello',
  'git {1}',
  'iex invoke-expression wsl',
  'powershell pwsh sh bash',
  '{1} || { echo {2} >&2; exit 126; }; exec "$@"',
  'start-process saps start',
  'set-alias new-alias sal nal',
  // What these are found by, and what a model is told.
  'Protected resource',
  'received undefined',
  'version https://git-lfs',
  'Answers {status, headers, body, url}; a body of JSON is answered as a value, any other as text. Local and private addresses are refused.',
  'Write the whole plan again, as one JSON object and nothing else.',
  '[Attached, but its content cannot be read here: {1}]',
]);

/** Written by a program that the host only starts. */
const byPrograms = ['it could not be opened'];

const translate = createSentenceTranslator(sentences);
const translations = Object.entries(sentences);
const valueOf = (placeholder: string): string => `Xy-${placeholder}`;
const filledIn = (text: string): string =>
  text.replaceAll(/\{(\d)\}/g, (_, placeholder: string) => valueOf(placeholder));
const placesIn = (text: string): string[] => (text.match(/\{\d\}/g) ?? []).toSorted();

it('every sentence of the host has words, and none is left that it does not say', async () => {
  const hostTexts = await hostSentences();
  const texts = new Set(hostTexts.map(({ text }) => text));
  expect(texts.size).toBeGreaterThan(100);
  const missing = hostTexts.filter(
    ({ text }) => !asTheyAre.has(text) && !Object.hasOwn(sentences, text),
  );
  expect(missing).toEqual([]);
  expect(translations.map(([text]) => text).filter((text) => !texts.has(text))).toEqual(byPrograms);
  expect([...asTheyAre].filter((text) => !texts.has(text))).toEqual([]);
});

it('the words are Chinese and hold what the sentence tells', () => {
  const foreign = translations.filter(([, translation]) => !/\p{Script=Han}/u.test(translation));
  expect(foreign).toEqual([]);
  const other = translations.filter(
    ([text, translation]) => placesIn(text).join() !== placesIn(translation).join(),
  );
  expect(other).toEqual([]);
});

it('each sentence is found by its own words, whatever it tells', () => {
  const wrong = translations
    .map(([text, translation]) => ({
      text,
      said: translate(filledIn(text)).text,
      words: filledIn(translation).trim(),
    }))
    .filter(({ said, words }) => said !== words);
  expect(wrong).toEqual([]);
});

it.each([])('“%s” is said with the reasons in it', (text, expected) => {
  const { text: translated, whole } = translate(text);
  expect(whole).toBe(true);
  expect(translated).toBe(expected);
});

it('what others said stays, also beside what the host says', () => {
  expect(translate('fatal: not a repository')).toEqual({
    text: 'fatal: not a repository',
    whole: false,
  });
  expect(translate('Something strange. Try again later.')).toEqual({
    text: 'Something strange. 请稍后重试。',
    whole: false,
  });
});

it.each([
  'A is missing: b has no c. It says: d, e of f and g others ',
  'A b. ',
  'Hook a: ',
  'The plugin says: A b. C d! ',
  'A has no b c. D ',
])('a long text of somebody else takes no long time: %s', (part) => {
  const before = performance.now();
  expect(translate(part.repeat(1_000).slice(0, 4_000)).text).not.toBe('');
  expect(performance.now() - before).toBeLessThan(2_000);
  expect(translate(part.repeat(4_000))).toEqual({ text: part.repeat(4_000), whole: false });
});
