import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { builtShell } from './testing/built-shell.ts';

const LIMIT_BYTES = 250_000;

const assets = join(builtShell().shell, 'assets');

const matchesOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

/** All that must be read before anything is seen: what the page begins with, and what that imports. */
async function firstParts(): Promise<Map<string, string>> {
  const html = await readFile(join(assets, '../index.html'), 'utf8');
  const parts = new Map<string, string>();
  const read = async (name: string): Promise<void> => {
    if (parts.has(name)) return;
    const text = await readFile(join(assets, name), 'utf8');
    parts.set(name, text);
    const statically = /(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g;
    for (const each of matchesOf(text, statically)) await read(each);
  };
  const [entry = ''] = matchesOf(html, /<script[^>]*\bsrc="\/assets\/([^"]+)"/g);
  await read(entry);
  return parts;
}

describe('what the page begins with', () => {
  it('weighs less than 250 kB', async () => {
    const parts = [...(await firstParts())];
    const packed = await Promise.all(
      parts.map(async ([name, text]) => ({ name, bytes: (await promisify(gzip)(text)).length })),
    );
    const sum = packed.reduce((total, { bytes }) => total + bytes, 0);
    const biggest = packed.sort((a, b) => b.bytes - a.bytes).slice(0, 8);
    const told = biggest.map(({ name, bytes }) => `${name}: ${bytes}`).join('\n');
    expect(sum).toBeGreaterThan(100_000);
    expect(sum, `${sum} bytes; the biggest parts:\n${told}`).toBeLessThan(LIMIT_BYTES);
  });

  it('is there after one request, without the schemas of the operations', async () => {
    const parts = [...(await firstParts()).values()];
    expect(parts).toHaveLength(1);
    expect(parts[0]).toContain('/api/plugin-market');
    expect(parts[0]).not.toContain('Every plugin of the catalogs');
  });

  it('has neither the canvas of flows nor the editor of code nor what renders answers', async () => {
    const text = [...(await firstParts()).values()].join('\n');
    expect(text).toContain('activity-button');
    for (const name of ['react-flow__', 'cm-editor', 'footnoteDefinition', 'rankdir'])
      expect(text.includes(name), name).toBe(false);
    expect(text.length).toBeGreaterThan(400_000);
  });
});
