import { describe, expect, test } from 'vitest';
import { nameSlug } from './name-slug.ts';

describe('the slug of a name', () => {
  test.each([
    ['code-review', 'code-review'],
    ['acme_tools', 'acme_tools'],
    ['My Plugin', 'my-plugin'],
    ['example.com', 'example-com'],
    ['Crème brûlée', 'creme-brulee'],
    ['ＦＵＬＬ', 'full'],
    ['../../x', 'x'],
    ['..\\..\\x', 'x'],
    ['.hidden', 'hidden'],
    ['__proto__', 'proto__'],
    ['-rf', 'rf'],
    ['a/../b', 'a-b'],
    ['x\u202Ecod.exe', 'x-cod-exe'],
    ['4', '4'],
  ])('%j is %j', (name, slug) => {
    expect(nameSlug(name)).toBe(slug);
  });

  test.each(['CON', 'nul', 'Com1', 'lpt9', 'COM¹', 'aux', 'PRN'])(
    'avoids the Windows device name %s',
    (name) => {
      expect(nameSlug(name)).toMatch(/^plugin-(con|nul|com1|lpt9|aux|prn)$/);
    },
  );

  test.each(['', ' ', '.', '..', '...', '/', '--', '\u200B', '!?', '🎉'])(
    'is undefined for %j',
    (name) => {
      expect(nameSlug(name)).toBeUndefined();
    },
  );

  test.each(['工具', 'инструмент', '日本 tools', 'straße', 'x'.repeat(61), 'é'.repeat(300), '٤'])(
    'of %j, which loses characters, has a hash appended',
    (name) => {
      expect(nameSlug(name)).toMatch(/^(?=.{10,60}$)[a-z0-9][a-z0-9_-]*-[0-9a-f]{8}$/);
    },
  );

  test('differs for names that lose different letters', () => {
    const names = ['日本 tools', '中国 tools', `${'x'.repeat(99)}1`, `${'x'.repeat(99)}2`];
    expect(new Set(names.map(nameSlug)).size).toBe(4);
  });
});
