import { expect, it } from 'vitest';
import { plainArguments } from './plain-arguments.ts';

it('arguments are shown with one value per line, without JSON', () => {
  const rows = [{ name: 'a', count: 2 }, { name: 'b' }];
  expect(plainArguments({ text: 'hello', loud: true, none: null, rows, empty: {} })).toBe(
    [
      'text: hello',
      'loud: true',
      'none: null',
      'rows › 1 › name: a',
      'rows › 1 › count: 2',
      'rows › 2 › name: b',
      'empty: nothing',
    ].join('\n'),
  );
  expect(plainArguments({})).toBe('It is given no arguments.');
});

it('no value looks like another argument', () => {
  for (const end of ['\n', '\r\n', '\r', '\u2028', '\u0085'])
    expect(plainArguments({ text: `a${end}path: /etc` })).toBe('text: a\n    path: /etc');
  expect(plainArguments({ 'a: b\nc': 1 })).toBe('a: b\n    c: 1');
});

it('long arguments are shortened, and their length is shown', () => {
  const text = plainArguments({ text: 'x'.repeat(9_000) });
  expect(text.length).toBeLessThan(2_100);
  expect(text).toMatch(/x … \(9006 characters\)$/);
});
