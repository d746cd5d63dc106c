import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const shell = join(import.meta.dirname, '../..');
const START = 'start.tsx';

/** The sources of the shell by their path in it, and for each group of words the file that has it. */
const texts = new Map<string, string>();
const fileOfGroup = new Map<string, string>();

const named = (path: string, pattern: RegExp): string[] =>
  [...(texts.get(path) ?? '').matchAll(pattern)].map(([, name = '']) => name);

const besides = (path: string) => (name: string) => join(dirname(path), name);

const readAtOnce = (path: string): string[] =>
  [
    ...named(path, /(?:^|\n)(?:import|export)\s+(?!type\b)[^;()]*?'(\.[^']+)'/g),
    ...named(path, /addTranslations\(\s*import\.meta\.glob<object>\('(\.[^']+)'/g).map(inEnglish),
  ].map(besides(path));
const inEnglish = (files: string): string => files.replace('*', 'en');

const readLater = (path: string): string[] =>
  named(path, /\bimport\(\s*'(\.[^']+)'/g).map(besides(path));

/** What is there once `path` is: all that it imports, and what that does. */
function readWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const each of readAtOnce(path)) readWith(each, seen);
  return seen;
}

beforeAll(async () => {
  const files = await readdir(shell, { recursive: true });
  for (const path of files.filter((file) => /\.tsx?$/.test(file) && !/test/.test(file)))
    texts.set(path, await readFile(join(shell, path), 'utf8'));
  for (const path of files.filter((file) => /^locales\/.*en\.json$/.test(file))) {
    const groups = JSON.parse(await readFile(join(shell, path), 'utf8')) as object;
    for (const group of Object.keys(groups)) fileOfGroup.set(group, path);
  }
});

describe('the words of a screen', () => {
  it('are read with every part of the page that names them', () => {
    const base = readWith(START);
    const parts = [START, ...new Set([...texts.keys()].flatMap(readLater))];
    expect(parts.length).toBeGreaterThan(8);
    const missing = parts.flatMap((part) => {
      const there = new Set([...base, ...readWith(part)]);
      return [...there].flatMap((path) =>
        named(path, /['`]([a-zA-Z]+)\.[a-zA-Z$]/g)
          .map((group) => fileOfGroup.get(group))
          .filter((file) => file !== undefined && !there.has(file))
          .map((file) => `${part}: ${path} needs ${file ?? ''}`),
      );
    });
    expect([...new Set(missing)]).toEqual([]);
  });
});
