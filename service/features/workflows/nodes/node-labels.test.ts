import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtInNodes } from './built-in-nodes.ts';

const locales = join(import.meta.dirname, '../../../../renderer-shell/locales');

it.each(['en', 'zh-CN'])(
  'each node of the host has its words in the shell (%s)',
  async (language) => {
    const text = await readFile(join(locales, `nodes.${language}.json`), 'utf8');
    const { hostNode } = JSON.parse(text) as { hostNode: object };
    const types = builtInNodes.map(({ type }) => type);
    expect(Object.keys(hostNode)).toEqual(expect.arrayContaining(types));
  },
);
