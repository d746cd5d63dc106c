import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import origins from './data-files.json' with { type: 'json' };
import { realInputs } from './real-inputs.ts';

const root = join(import.meta.dirname, '..', '..');
const notOurs = new Set(['node_modules', 'dist', 'artifacts', '.git', '.host']);
const code = new Set(['.ts', '.tsx', '.mjs', '.cjs', '.js', '.css', '.html', '.java', '.md']);
/** Folders with fixtures, samples and pictures. */
const folders = ['service/testing', 'bench', 'plugins', 'plugin-kit', 'e2e', 'docs', 'packaging'];
const config = /^(?:tsconfig|package|package-lock|manifest)\.json$/;
/** Shorter texts are identifiers of a format. */
const longText = 40;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (notOurs.has(entry.name)) return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const inProject = (path: string): string => relative(root, path).replaceAll('\\', '/');

describe('the data of the project', () => {
  it('is listed with its origin, file by file', () => {
    const found = folders
      .flatMap((folder) => filesBelow(join(root, folder)))
      .filter((path) => !code.has(extname(path)) && !config.test(basename(path)))
      .map(inProject);
    const named = Object.values(origins).flat();
    expect(named.toSorted(), 'name it in data-files.json, with where it comes from').toEqual(
      found.toSorted(),
    );
  });

  it('belongs to this project', () => {
    expect(Object.keys(origins)).toEqual([
      'written for this project',
      'made by this project’s programs',
      'acceptance cases of the owner',
      'licences of what is shipped',
    ]);
  });
});

it('real inputs: no file of the project is one of them, or holds a longer text of theirs', () => {
  const inputs = realInputs();
  const foreign = inputs === null ? [] : filesBelow(inputs);
  const theirs = new Set(foreign.map((path) => digest(readFileSync(path))));
  const texts = [...new Set(foreign.flatMap(textsIn))];
  expect(texts.length > 0).toBe(inputs !== null);
  const own = filesBelow(root).filter((path) => basename(path) !== 'package-lock.json');
  const bytes = own.map((path) => readFileSync(path));
  expect(own.filter((_, index) => theirs.has(digest(bytes[index] ?? Buffer.of())))).toEqual([]);
  const all = bytes.map((content) => content.toString('utf8')).join('\n');
  expect(texts.filter((text) => all.includes(text))).toEqual([]);
}, 60_000);

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the longer texts in a JSON file or a file with one JSON value per line. */
function textsIn(path: string): string[] {
  const content = readFileSync(path, 'utf8');
  if (extname(path) === '.json') return textsOf(JSON.parse(content));
  if (extname(path) !== '.txt') return [];
  const lines = content.split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => textsOf(JSON.parse(line)));
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= longText ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
