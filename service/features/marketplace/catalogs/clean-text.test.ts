import { describe, expect, test } from 'vitest';
import { cleanText } from './clean-text.ts';

describe('a text in a catalog', () => {
  test.each<[unknown, string]>([
    ['plain', 'plain'],
    [' plain ', 'plain'],
    ['two\r\n\r\nlines\tand a tab', 'two lines and a tab'],
    ['a\u2028b\u0085c', 'a b c'],
    ['Größe — 🎉 ok', 'Größe — 🎉 ok'],
    ['bell\u0007', 'bell\uFFFD'],
    ['abc\u202Etxt', 'abc\uFFFDtxt'],
    ['half \uD83C', 'half \uFFFD'],
    ['\u200B\u2060', ''],
    ['', ''],
    [7, ''],
    [null, ''],
    [['x'], ''],
    ['<b>x</b>', '<b>x</b>'],
  ])('%j is shown as %j', (written, cleaned) => {
    expect(cleanText(written, 20)).toBe(cleaned);
  });

  test('is shortened at a character boundary if it is too long', () => {
    expect(cleanText('x'.repeat(11), 10)).toBe(`${'x'.repeat(9)}…`);
    expect(cleanText('x'.repeat(10), 10)).toBe('x'.repeat(10));
    expect(cleanText('🎉'.repeat(10), 10)).toBe('🎉🎉🎉🎉…');
    expect(cleanText('x'.repeat(10_000_000), 10)).toBe(`${'x'.repeat(9)}…`);
  });
});
