import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { putFeed } from './feeds.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'feeds-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const to = (): string => join(folder, 'latest-linux.yml');

function put(version: string, ...urls: string[]): string[] {
  const from = join(folder, 'from.yml');
  writeFileSync(from, JSON.stringify({ version, files: urls.map((url) => ({ url, size: 1 })) }));
  putFeed(from, to());
  const feed = parse(readFileSync(to(), 'utf8')) as { version: string; files: { url: string }[] };
  expect(feed.version).toBe(version);
  return feed.files.map(({ url }) => url).sort();
}

it('names all packages of a version, each once', () => {
  expect(put('4.0.0', 'a.deb')).toEqual(['a.deb']);
  expect(put('4.0.0', 'a.rpm')).toEqual(['a.deb', 'a.rpm']);
  expect(put('4.0.0', 'a.deb')).toEqual(['a.deb', 'a.rpm']);
});

it('names none of an older version', () => {
  put('4.0.0', 'a.deb');
  expect(put('4.0.1', 'b.rpm')).toEqual(['b.rpm']);
});
