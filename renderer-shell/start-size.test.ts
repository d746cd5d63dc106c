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

/**
 * Returns everything that must be loaded before the page is visible: the skeleton, its preloads,
 * and their imports.
 */
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
  for (const name of early(html)) await read(name);
  return parts;
}

/** Returns the files that the page preloads. */
const early = (html: string): string[] =>
  matchesOf(html, /<link rel="preload" href="\/assets\/([^"]+\.js)" as="script"/g);

describe('the first frame', () => {
  it('consists of one small script, and a style sheet without components', async () => {
    const html = await readFile(join(assets, '../index.html'), 'utf8');
    const [entry = ''] = matchesOf(html, /<script[^>]*\bsrc="\/assets\/([^"]+)"/g);
    const [styles = ''] = matchesOf(html, /<link rel="stylesheet"[^>]*\bhref="\/assets\/([^"]+)"/g);
    const script = await readFile(join(assets, entry), 'utf8');
    expect(script).not.toMatch(/\b(?:from|import)\s*["'`]/);
    expect(script.length).toBeLessThan(32_000);
    expect((await readFile(join(assets, styles), 'utf8')).length).toBeLessThan(32_000);
  });
});

describe('the initial page', () => {
  it('weighs less than 250 kB', async () => {
    const parts = [...(await firstParts())];
    const packed = await Promise.all(
      parts.map(async ([name, text]) => ({ name, bytes: (await promisify(gzip)(text)).length })),
    );
    const sum = packed.reduce((total, { bytes }) => total + bytes, 0);
    const biggest = packed.sort((a, b) => b.bytes - a.bytes).slice(0, 8);
    const sizes = biggest.map(({ name, bytes }) => `${name}: ${bytes}`).join('\n');
    expect(sum).toBeGreaterThan(100_000);
    expect(sum, `${sum} bytes; the biggest parts:\n${sizes}`).toBeLessThan(LIMIT_BYTES);
  });

  it('is preloaded in few parts, without the schemas of the operations', async () => {
    const html = await readFile(join(assets, '../index.html'), 'utf8');
    const parts = await firstParts();
    // The script of the skeleton, and the preloads.
    expect([...parts.keys()].slice(1).sort()).toEqual(early(html).sort());
    expect(parts.size).toBeLessThanOrEqual(3);
    const text = [...parts.values()].join('\n');
    expect(text).toContain('/api/plugin-market');
    expect(text).not.toContain('Every plugin of the catalogs');
  });

  it('excludes the workflow canvas, the code editor and the renderer of answers', async () => {
    const text = [...(await firstParts()).values()].join('\n');
    expect(text).toContain('activity-button');
    for (const name of ['react-flow__', 'cm-editor', 'footnoteDefinition', 'rankdir'])
      expect(text.includes(name), name).toBe(false);
    expect(text.length).toBeGreaterThan(400_000);
  });
});
