import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { languages } from '../../../messages/languages.ts';
import { builtInNodes } from './built-in-nodes.ts';

const catalogs = join(import.meta.dirname, '../../../messages');

it.each(languages)('each built-in node has its texts in the shell (%s)', async (language) => {
  const text = await readFile(join(catalogs, `${language}.json`), 'utf8');
  const { shell } = JSON.parse(text) as { shell: { hostNode: object } };
  const types = builtInNodes.map(({ type }) => type);
  expect(Object.keys(shell.hostNode)).toEqual(expect.arrayContaining(types));
});
