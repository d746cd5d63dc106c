import { expect, it } from 'vitest';
import { hostSentences } from '../testing/host-sentences.ts';
import { sentenceBook } from '../contract/sentence-book.ts';
import sentences from '../contract/sentences.zh-CN.json' with { type: 'json' };

/** Commands, names and texts for programs: the same in every language. */
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
  // Keys for lookups, and texts for models.
  'Protected resource',
  'received undefined',
  'version https://git-lfs',
  'Answers {status, headers, body, url}; a body of JSON is answered as a value, any other as text. Local and private addresses are refused.',
  'Write the whole plan again, as one JSON object and nothing else.',
  '[Attached, but its content cannot be read here: {1}]',
]);

/** Written by a program that the host starts. */
const byPrograms = ['it could not be opened'];

const say = sentenceBook(sentences);
const known = Object.entries(sentences);
const valueOf = (place: string): string => `Xy-${place}`;
const filledIn = (text: string): string =>
  text.replaceAll(/\{(\d)\}/g, (_, place: string) => valueOf(place));
const placesIn = (text: string): string[] => (text.match(/\{\d\}/g) ?? []).toSorted();

it('every sentence of the host has a translation, and no translation is unused', async () => {
  const said = await hostSentences();
  const texts = new Set(said.map(({ text }) => text));
  expect(texts.size).toBeGreaterThan(100);
  const missing = said.filter(
    ({ text }) => !asTheyAre.has(text) && !Object.hasOwn(sentences, text),
  );
  expect(missing).toEqual([]);
  expect(known.map(([text]) => text).filter((text) => !texts.has(text))).toEqual(byPrograms);
  expect([...asTheyAre].filter((text) => !texts.has(text))).toEqual([]);
});

it('translations are Chinese and keep the inserted values', () => {
  const foreign = known.filter(([, words]) => !/\p{Script=Han}/u.test(words));
  expect(foreign).toEqual([]);
  const other = known.filter(([text, words]) => placesIn(text).join() !== placesIn(words).join());
  expect(other).toEqual([]);
});

it('each sentence is found by its own text, whatever values it holds', () => {
  const wrong = known
    .map(([text, words]) => ({
      text,
      said: say(filledIn(text)).text,
      words: filledIn(words).trim(),
    }))
    .filter(({ said, words }) => said !== words);
  expect(wrong).toEqual([]);
});

it.each([])('“%s” is translated together with the reasons in it', (text, expected) => {
  const { text: said, whole } = say(text);
  expect(whole).toBe(true);
  expect(said).toBe(expected);
});

it('texts of others stay as they are, even next to texts of the host', () => {
  expect(say('fatal: not a repository')).toEqual({ text: 'fatal: not a repository', whole: false });
  expect(say('Something strange. Try again later.')).toEqual({
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
  expect(say(part.repeat(1_000).slice(0, 4_000)).text).not.toBe('');
  expect(performance.now() - before).toBeLessThan(2_000);
  expect(say(part.repeat(4_000))).toEqual({ text: part.repeat(4_000), whole: false });
});
