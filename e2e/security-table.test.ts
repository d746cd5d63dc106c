import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testNames } from './requirements/test-names.ts';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docs', 'security.md'), 'utf8');

interface Row {
  id: string;
  /** Question and answer. */
  cells: string[];
  /** File and name. */
  tests: [file: string, name: string][];
}

/** Parses a row of the table: each file in backticks, followed by its test names in quotes. */
function rowOf(line: string): Row {
  const [id = '', asked = '', held = '', tests = ''] = line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
  return { id, cells: [asked, held], tests: testsOf(tests) };
}

function testsOf(cell: string): Row['tests'] {
  let file = '';
  return [...cell.matchAll(/`([^`]+)`|“([^”]+)”/g)].flatMap(([, path, name]) => {
    file = path ?? file;
    return name === undefined ? [] : [[file, name]];
  });
}

const rows = text
  .split('\n')
  .filter((line) => /^\| E-\d/.test(line))
  .map(rowOf);

it('each row of the checklist is there once, in order, with words and tests', () => {
  const ids = Array.from({ length: 24 }, (_, at) => `E-${String(at + 1).padStart(2, '0')}`);
  expect(rows.map(({ id }) => id)).toEqual(ids);
  for (const { id, cells, tests } of rows) {
    for (const one of cells) expect(one.length, id).toBeGreaterThan(20);
    expect(tests, id).not.toEqual([]);
  }
});

it('each test that is named exists under this name and is always run', () => {
  const missing = rows.flatMap(({ id, tests }) =>
    tests.filter(([file, name]) => !isThere(file, name)).map((test) => [id, ...test]),
  );
  expect(missing).toEqual([]);
});

function isThere(file: string, name: string): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  return testNames(file, readFileSync(path, 'utf8')).includes(name);
}
