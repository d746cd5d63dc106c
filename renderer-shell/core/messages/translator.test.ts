import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ageText, sizeText } from './amounts.ts';
import {
  type Language,
  languageOf,
  languages,
  otherLanguages,
} from '../../../service/messages/languages.ts';
import { parametersOf } from '../../../service/messages/testing/message-parameters.ts';
import type { Catalog } from './texts.ts';
import { languageName } from './language-name.ts';
import { translator } from './translator.ts';

/** Has the format of a key, but is the greeting of plugin pages. */
const GREETING = 'plugin.hello';

const shell = join(import.meta.dirname, '../..');

function textsOf(value: unknown, path: string[] = []): [string, string][] {
  if (typeof value === 'string') return [[path.join('.'), value]];
  return Object.entries(value as object).flatMap(([key, each]) => textsOf(each, [...path, key]));
}

const catalogOf = async (language: Language): Promise<Catalog> =>
  JSON.parse(
    await readFile(join(shell, '../service/messages', `${language}.json`), 'utf8'),
  ) as Catalog;

const en = (await catalogOf('en')).shell;

/** Returns the keys that occur as plain literals in the sources, with their file. */
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

describe('the texts of the shell', () => {
  it.each(languages)(
    'have the same keys and placeholders in each language: %s',
    async (language) => {
      const english = new Map(textsOf(en));
      const others = new Map(textsOf((await catalogOf(language)).shell));
      expect([...others.keys()]).toEqual([...english.keys()]);
      for (const [key, text] of english)
        expect(parametersOf(others.get(key) ?? ''), key).toEqual(parametersOf(text));
    },
  );

  it('contain every key that the sources use', async () => {
    const keys = new Set(textsOf(en).map(([key]) => key));
    const used = await usedKeys();
    expect(used.length).toBeGreaterThan(100);
    expect(used.filter(([key]) => !keys.has(key))).toEqual([]);
  });

  it('leave placeholders inside of a value unchanged', () => {
    const name = "{version} <b> '{";
    expect(translator.t('command.open', { name })).toBe("Open {version} <b> '{");
  });

  it('fall back to English for a missing language', () => {
    expect([languageOf('zh-TW'), languageOf('xx'), languageOf('en-GB')]).toEqual([
      'zh-CN',
      'en',
      'en',
    ]);
    expect(languageOf('xx-YY', 'ZH-hant', 'en')).toBe('zh-CN');
    expect([languageOf(), languageOf('')]).toEqual(['en', 'en']);
  });

  it('are in all languages that have a catalog, each with its native name', async () => {
    const files = await readdir(join(shell, '../service/messages'));
    const tags = files.flatMap((file) => /^([a-z]{2,3}(?:-\w+)*)\.json$/.exec(file)?.[1] ?? []);
    expect(languages.toSorted()).toEqual(tags.toSorted());
    expect(otherLanguages('en')).toEqual(languages.filter((language) => language !== 'en'));
    for (const language of languages) {
      const { language: texts } = (await catalogOf(language)).shell as { language: object };
      expect(texts).toEqual({ name: languageName(language) });
    }
  });
});

describe('amounts', () => {
  it('have units', () => {
    expect(sizeText(12_400_000, 'en')).toBe('12 MB');
    expect(sizeText(3_400_000, 'en')).toBe('3.4 MB');
    expect(sizeText(640_000, 'en')).toBe('640 kB');
    expect(sizeText(0, 'en')).toBe('0 bytes');
  });

  it('describe ages in words, and never in the future', () => {
    const now = Date.parse('2026-01-02T00:00:00Z');
    expect(ageText('2026-01-01T22:00:00Z', now, 'en')).toBe('2 hours ago');
    expect(ageText('2026-01-02T00:00:10Z', now, 'en')).toBe('now');
  });
});
