import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import en from '../../../service/messages/en.json' with { type: 'json' };

const shell = join(import.meta.dirname, '../..');
const START = 'start.tsx';

/** The sources of the shell by their relative path. */
const texts = new Map<string, string>();
const groups = new Set(Object.keys(en.shell));

const named = (path: string, pattern: RegExp): string[] =>
  [...(texts.get(path) ?? '').matchAll(pattern)].map(([, name = '']) => name);

const besides = (path: string) => (name: string) => join(dirname(path), name);

const readAtOnce = (path: string): string[] =>
  named(path, /(?:^|\n)(?:import|export)\s+(?!type\b)[^;()]*?'(\.[^']+)'/g).map(besides(path));

/** Returns the groups of texts that are imported as `en.json?groups=a,b&shell`. */
const groupsIn = (paths: ReadonlySet<string>): Set<string> =>
  new Set(
    [...paths].flatMap((path) => /\?groups=([^&]*)&shell$/.exec(path)?.[1]?.split(',') ?? []),
  );

const readLater = (path: string): string[] =>
  named(path, /\bimport\(\s*'(\.[^']+)'/g).map(besides(path));

/** Returns the module at `path` and all that it imports, directly or indirectly. */
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
});

describe('the texts of a screen', () => {
  it('are loaded with every part of the page that uses them', () => {
    const base = readWith(START);
    const parts = [START, ...new Set([...texts.keys()].flatMap(readLater))];
    expect(parts.length).toBeGreaterThan(8);
    const missing = parts.flatMap((part) => {
      const there = new Set([...base, ...readWith(part)]);
      const loaded = groupsIn(there);
      return [...there].flatMap((path) =>
        named(path, /['`]([a-zA-Z]+)\.[a-zA-Z$]/g)
          .filter((group) => groups.has(group) && !loaded.has(group))
          .map((group) => `${part}: ${path} needs ${group}`),
      );
    });
    expect([...new Set(missing)]).toEqual([]);
  });
});
