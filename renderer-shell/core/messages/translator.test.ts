import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ageText, sizeText } from './amounts.ts';
import { type Language, languageOf, languages } from '../../../service/contract/languages.ts';
import { loadTranslations, translator } from './translator.ts';

/** Looks like a key, but is the greeting of plugin pages. */
const GREETING = 'plugin.hello';

const shell = join(import.meta.dirname, '../..');

function textsOf(value: unknown, path: string[] = []): [string, string][] {
  if (typeof value === 'string') return [[path.join('.'), value]];
  return Object.entries(value as object).flatMap(([key, each]) => textsOf(each, [...path, key]));
}

/** The words of the page, and those of each screen that brings its own. */
async function translationsIn(language: Language): Promise<object> {
  const directory = join(shell, 'locales');
  const files = await readdir(directory);
  const own = files.filter((file) => file.endsWith(`${language}.json`));
  const read = own.map(async (file) => {
    const text = await readFile(join(directory, file), 'utf8');
    const texts = JSON.parse(text) as object;
    // Of a key that stands there twice the first text would be lost.
    expect(`${JSON.stringify(texts, null, 2)}\n`).toBe(text);
    return texts;
  });
  const groups = (await Promise.all(read)).flatMap((texts) => Object.entries(texts));
  expect(new Set(groups.map(([name]) => name)).size).toBe(groups.length);
  return Object.fromEntries(groups);
}

const en = await translationsIn('en');

const placeholders = (text: string) =>
  [...text.matchAll(/\{\{\w+\}\}|<\/?\w+>/g)].map(String).sort();

/** Keys that stand in the sources as plain literals, with the file they stand in. */
async function usedKeys(): Promise<[string, string][]> {
  const files = await readdir(shell, { recursive: true });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/test|testing/.test(file));
  const groups = new Set(Object.keys(en));
  const used: [string, string][] = [];
  for (const file of sources) {
    const text = await readFile(join(shell, file), 'utf8');
    for (const [, key = ''] of text.matchAll(/'([a-zA-Z]+(?:\.[a-zA-Z0-9_-]+)+)'/g)) {
      if (key !== GREETING && groups.has(key.split('.')[0] ?? '')) used.push([key, file]);
    }
  }
  return used;
}

describe('the words of the shell', () => {
  it.each(languages)(
    'have the same keys and placeholders in each language: %s',
    async (language) => {
      const english = new Map(textsOf(en));
      const others = new Map(textsOf(await translationsIn(language)));
      expect([...others.keys()].sort()).toEqual([...english.keys()].sort());
      for (const [key, text] of english)
        expect(placeholders(others.get(key) ?? ''), key).toEqual(placeholders(text));
    },
  );

  it('hold every key that the sources name', async () => {
    const keys = new Set(textsOf(en).map(([key]) => key.replace(/_(zero|one|other)$/, '')));
    const used = await usedKeys();
    expect(used.length).toBeGreaterThan(100);
    expect(used.filter(([key]) => !keys.has(key))).toEqual([]);
  });

  it('leave what stands inside a name as it is', async () => {
    await loadTranslations('en');
    const name = '$t(plugins.title) {{version}} <b>';
    expect(translator.t('command.open', { name })).toBe('Open $t(plugins.title) {{version}} <b>');
  });

  it('fall back to English for a language they do not have', () => {
    expect([languageOf('zh-TW'), languageOf('fr'), languageOf('en-GB')]).toEqual([
      'zh-CN',
      'en',
      'en',
    ]);
  });
});

describe('amounts', () => {
  it('are said with units', () => {
    expect(sizeText(12_400_000, 'en')).toBe('12 MB');
    expect(sizeText(3_400_000, 'en')).toBe('3.4 MB');
    expect(sizeText(640_000, 'en')).toBe('640 kB');
    expect(sizeText(0, 'en')).toBe('0 bytes');
  });

  it('say ages in words, and never the future', () => {
    const now = Date.parse('2026-01-02T00:00:00Z');
    expect(ageText('2026-01-01T22:00:00Z', now, 'en')).toBe('2 hours ago');
    expect(ageText('2026-01-02T00:00:10Z', now, 'en')).toBe('now');
  });
});
