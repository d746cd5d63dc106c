import { createWriteStream } from 'node:fs';
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import { takesParams } from '../plugin-kit/testing/method-schemas.ts';
import { samplePackageTests, useSamplePlugin } from '../plugin-kit/testing/sample-plugin-tests.ts';

// Without a UTF-8 locale Java cannot open files whose names are not ASCII.
const sample = await useSamplePlugin(join(import.meta.dirname, 'words'), 'java', {
  LC_ALL: 'C.UTF-8',
});
const { plugin, worker, call, failure } = sample;

const files = join(plugin.directory, 'files');
await mkdir(files);

async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const path = join(files, name);
  await writeFile(path, content);
  return path;
}

describe('the package', () => {
  samplePackageTests(sample);

  test('it is official and may read granted files', () => {
    const { id, version, official, permissions, category, icon } = plugin.manifest;
    expect({ id, version, official, permissions, category, icon }).toEqual({
      id: 'host.words',
      version: '1.0.0',
      official: true,
      permissions: ['files.read'],
      category: 'documents',
      icon: 'text',
    });
  });

  test('a file may be a grant or a path', () => {
    const grant = { id: 'ref_1', kind: 'file', access: 'read', name: 'a.txt' };
    expect(takesParams(plugin.manifest, 'count', { file: grant })).toBe(true);
    expect(takesParams(plugin.manifest, 'count', { file: '/a.txt' })).toBe(true);
    expect(takesParams(plugin.manifest, 'count', { file: 1 })).toBe(false);
  });
});

describe('count', () => {
  test('words, characters, lines, paragraphs and sentences are counted', async () => {
    const text = 'It’s a well-known fact: 3.14 is pi.\r\nIsn’t it?\r\n\r\nYes!\n';
    expect(await call('count', { text })).toEqual({
      words: 10,
      characters: 48,
      charactersWithoutSpaces: 41,
      lines: 4,
      paragraphs: 2,
      sentences: 3,
    });
  });

  test('an empty text has nothing', async () => {
    const counts = await call('count', { text: '' });
    expect(new Set(Object.values(counts))).toEqual(new Set([0]));
  });

  test.each([
    ['你好，世界。', 4, 1],
    ['日本語のテキストです。', 10, 1],
    ['我有3个iPhone。她没有！', 8, 2],
    ['𠮷野家', 3, 1],
    ['한국어 단어 세기', 3, 1],
    ['Привет, мир!', 2, 1],
    ['👨‍👩‍👧 ☂ — …', 0, 0],
    ["O'Neil's café, e.g. a/b", 5, 1],
  ])('%s has %i words and %i sentences', async (text, words, sentences) => {
    expect(await call('count', { text })).toMatchObject({ words, sentences });
  });

  test('a character outside the basic plane counts once', async () => {
    expect(await call('count', { text: '😀𠮷a' })).toMatchObject({ characters: 3 });
  });

  test('a text of many megabytes fits into the memory of the manifest', async () => {
    const text = 'wörd '.repeat(3_000_000);
    expect(await call('count', { text })).toMatchObject({ words: 3_000_000, paragraphs: 1 });
  });
});

describe('files', () => {
  test.each([
    ['utf-8', Buffer.from('naïve 你好\n')],
    ['utf-8 with a mark', Buffer.from('\ufeffnaïve 你好\n')],
    ['utf-16, little end first', Buffer.from('\ufeffnaïve 你好\n', 'utf16le')],
    ['utf-16, big end first', Buffer.from('\ufeffnaïve 你好\n', 'utf16le').swap16()],
  ])('%s is read', async (_, bytes) => {
    const file = await fileOf('文件 é.txt', bytes);
    expect(await call('count', { file })).toMatchObject({ words: 3, characters: 8, lines: 1 });
  });

  test('an empty file and one of one byte are read', async () => {
    expect(await call('count', { file: await fileOf('empty', '') })).toMatchObject({ words: 0 });
    expect(await call('count', { file: await fileOf('one', 'x') })).toMatchObject({ words: 1 });
  });

  test('a large file is read piece by piece, with progress', async () => {
    const file = join(files, 'large.txt');
    const line = `${'All work and no play. '.repeat(50)}\n\n`;
    const lines = Array.from({ length: 20_000 }, () => line);
    await pipeline(Readable.from(lines), createWriteStream(file));
    const before = worker.notifications('host.progress').length;
    expect(await call('count', { file })).toMatchObject({
      words: 20_000 * 250,
      sentences: 20_000 * 50,
      paragraphs: 20_000,
      lines: 40_000,
    });
    const progress = worker.notifications('host.progress').slice(before);
    const percents = progress.map((one) => one['percent'] as number);
    expect(percents.length).toBeGreaterThan(5);
    expect(percents.length).toBeLessThanOrEqual(100);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    await rm(file);
  });

  test('one line of many megabytes without a space is read', async () => {
    const file = await fileOf('wide.txt', 'x'.repeat(5 * 1024 * 1024));
    const counts = await call('count', { file });
    expect(counts).toMatchObject({ characters: 5 * 1024 * 1024, lines: 1, paragraphs: 1 });
  });

  test('a file above the limit is refused at once', async () => {
    const file = await fileOf('huge.txt', '');
    await truncate(file, 256 * 1024 * 1024 + 1);
    expect(await failure('count', { file })).toEqual({
      code: -32000,
      message: 'The file is larger than 256 MiB. Split it and try its parts.',
      data: { reason: 'file_too_large' },
    });
  });

  test.each([
    ['bytes of no text', Buffer.from([0xff, 0x41, 0x42])],
    ['NUL bytes', Buffer.from('a\0b')],
    ['half a character', Buffer.from('é').subarray(0, 1)],
  ])('%s are refused', async (_, bytes) => {
    const error = await failure('count', { file: await fileOf('binary', bytes) });
    expect(error).toMatchObject({ code: -32000, data: { reason: 'not_text' } });
  });

  test('a directory or a missing file is refused without its path', async () => {
    for (const file of [files, join(files, 'nothing'), 'bad\0name']) {
      const error = await failure('count', { file });
      expect(error?.code).toBe(-32000);
      expect(error?.message).not.toContain(files);
    }
  });

  test('a grant that the host did not rewrite is refused', async () => {
    expect((await failure('count', { file: { id: 'ref_1' } }))?.code).toBe(-32602);
  });

  test('exactly one of text and file must be there', async () => {
    for (const params of [{}, { text: 'a', file: '/a' }, { text: 1 }]) {
      expect((await failure('count', params))?.code).toBe(-32602);
    }
  });
});

describe('frequency', () => {
  const text = 'The cat and the Cat’s cat. A CAT!';

  test('words are listed by how often they occur, then by name', async () => {
    expect(await call('frequency', { text, top: 3 })).toEqual({
      totalWords: 8,
      distinctWords: 5,
      words: [
        { word: 'cat', count: 3, share: 3 / 8 },
        { word: 'the', count: 2, share: 2 / 8 },
        { word: 'a', count: 1, share: 1 / 8 },
      ],
    });
  });

  test.each([
    [{ ignoreCase: false }, ['cat', 'A', 'CAT', "Cat's", 'The', 'and', 'the']],
    [{ minLength: 4 }, ["cat's"]],
    [{ skipCommon: true }, ['cat', "cat's"]],
  ])('%j changes what is counted', async (options, expected) => {
    const { words } = await call<{ words: { word: string }[] }>('frequency', { text, ...options });
    expect(words.map(({ word }) => word)).toEqual(expected);
  });

  test('composed and decomposed letters are the same, and other scripts are folded too', async () => {
    const mixed = 'café cafe\u0301 CAFÉ Мир мир 好好';
    const { words } = await call<{ words: object[] }>('frequency', { text: mixed });
    expect(words).toEqual([
      { word: 'café', count: 3, share: 3 / 7 },
      { word: 'мир', count: 2, share: 2 / 7 },
      { word: '好', count: 2, share: 2 / 7 },
    ]);
  });

  test('more different words than fit into memory are refused', async () => {
    const many = Array.from({ length: 500_001 }, (_, index) => `w${String(index)}`).join(' ');
    const error = await failure('frequency', { text: many });
    expect(error).toMatchObject({ code: -32000, data: { reason: 'too_many_words' } });
  });

  test.each([{ top: 0 }, { top: 1001 }, { top: 1.5 }, { minLength: 0 }, { ignoreCase: 1 }])(
    'the params %j are refused by schema and worker alike',
    async (params) => {
      expect(takesParams(plugin.manifest, 'frequency', { text, ...params })).toBe(false);
      expect((await failure('frequency', { text, ...params }))?.code).toBe(-32602);
    },
  );
});

describe('readability', () => {
  test('an easy sentence has the published scores', async () => {
    expect(await call('readability', { text: 'The cat sat on the mat.' })).toEqual({
      fleschReadingEase: 116.15,
      fleschKincaidGrade: -1.45,
      level: 'very_easy',
      wordsPerSentence: 6,
      syllablesPerWord: 1,
      sentences: 1,
      words: 6,
      syllables: 6,
    });
  });

  test('a hard sentence is much harder', async () => {
    const text =
      'The implementation of comprehensive organisational restructuring necessitates ' +
      'considerable interdepartmental communication, notwithstanding budgetary limitations.';
    const result = await call<{ fleschKincaidGrade: number }>('readability', { text });
    expect(result).toMatchObject({ level: 'very_difficult', sentences: 1, words: 13 });
    expect(result.fleschKincaidGrade).toBeGreaterThan(18);
  });

  test.each([
    ['the make makes jumped said does through strengths', 8],
    ['wanted table people boxes cities something careful', 14],
    ['beautiful media actual radio syllable computer', 18],
    ["don't isn't well-known café", 1 + 2 + 2 + 2],
  ])('%s has %i syllables', async (text, syllables) => {
    expect(await call('readability', { text })).toMatchObject({ syllables });
  });

  test.each([
    ['In 1999 we had 12.', 5],
    ['A well-known 你好 in 3 languages: Привет!', 8],
    ['1 2 3', 3],
    ['你好，世界。', 4],
    ['', 0],
  ])('%s has as many words as where they are counted', async (text, words) => {
    expect(await call('count', { text })).toMatchObject({ words });
    expect(await call('readability', { text })).toMatchObject({ words });
  });

  test('the words of a sentence are all of its words', async () => {
    const result = await call('readability', { text: 'In 1999 we had 12. It was so.' });
    expect(result).toMatchObject({ words: 8, sentences: 2, wordsPerSentence: 4 });
    expect(result).toMatchObject({ syllables: 6, syllablesPerWord: 1 });
  });

  test.each([
    ['你好，世界。', 'not_latin'],
    ['1 2 3', 'no_words'],
    ['', 'no_words'],
  ])('%j has no score, and the reason is said', async (text, reason) => {
    expect(await call('readability', { text })).toMatchObject({
      fleschReadingEase: null,
      fleschKincaidGrade: null,
      level: null,
      reason,
    });
  });
});
