import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// @ts-expect-error The configuration of dependency-cruiser is plain JavaScript.
import { featuresBelow } from '../.dependency-cruiser.mjs';

const root = join(import.meta.dirname, '..');
const below = featuresBelow as Record<string, string[]>;
const architecture = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8');

/** Returns the cells of the table under a heading, row by row. */
function tableUnder(heading: string): string[][] {
  const section = architecture.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const namesIn = (cell = ''): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

describe('the table of features', () => {
  const rows = tableUnder('Features');

  it('has one line for each folder of a feature', async () => {
    const folders = await foldersIn('service/features');
    expect(rows.flatMap(([name]) => namesIn(name)).toSorted()).toEqual(folders.toSorted());
  });

  it('says of each what the rule of imports says', () => {
    const documented = rows.map(([name, , on]) => [namesIn(name)[0], namesIn(on)]);
    expect(documented).toEqual(Object.entries(below));
  });

  it('goes from the bottom up', () => {
    const order = Object.keys(below);
    const upwards = Object.entries(below).flatMap(([feature, names]) =>
      names
        .filter((name) => order.indexOf(name) >= order.indexOf(feature))
        .map((name) => `${feature} on ${name}`),
    );
    expect(upwards).toEqual([]);
  });
});

describe('the table of the shell', () => {
  it('has one line for each folder of the shell and of its layers', async () => {
    const layers = ['core', 'state', 'ui', 'screens'];
    const rooms = await Promise.all(
      layers.map(async (layer) =>
        (await foldersIn(`renderer-shell/${layer}`)).map((name) => `${layer}/${name}`),
      ),
    );
    const folders = [...(await foldersIn('renderer-shell')), ...rooms.flat()];
    const documented = tableUnder('The shell').flatMap(([name]) => namesIn(name));
    expect(documented.toSorted()).toEqual(folders.toSorted());
  });
});
