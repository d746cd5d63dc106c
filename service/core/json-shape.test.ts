import { describe, expect, it } from 'vitest';
import { excessOf } from './json-shape.ts';

const limits = { levels: 3, values: 10 };
const none = { levels: Infinity, values: Infinity };

describe('the shape of a JSON text', () => {
  it('has a number of levels', () => {
    expect(excessOf('[[{}]]', limits)).toBeNull();
    expect(excessOf('[[{"a":[]}]]', limits)).toBe('levels');
    expect(excessOf('[[[]],[[]]]', limits)).toBeNull();
  });

  it('limits strings by the number of values', () => {
    expect(excessOf('""'.repeat(23), limits)).toBe('values');
    expect(excessOf(JSON.stringify({ a: 'b', c: 'd' }), { levels: 1, values: 2 })).toBeNull();
  });

  it('has a number of values', () => {
    expect(excessOf('[1,2,3,4,5,6,7,8,9,10]', limits)).toBeNull();
    expect(excessOf('[1,2,3,4,5,6,7,8,9,10,11]', limits)).toBe('values');
    expect(excessOf('[[],[],[],[],[],[]]', limits)).toBe('values');
  });

  it.each([
    ['plain', '[,{'.repeat(50)],
    ['quotes', '"[,"'.repeat(50)],
    ['backslashes', '\\'.repeat(50)],
    ['backslashes before a quote', '\\\\"[,\\'.repeat(50)],
    ['nothing', ''],
  ])('is not changed by what its strings hold: %s', (_, content) => {
    const text = JSON.stringify([content, { [content]: content }, 1]);
    expect(excessOf(text, limits)).toBeNull();
    expect(excessOf(text, { ...limits, values: 3 })).toBe('values');
    expect(excessOf(text, { ...limits, levels: 1 })).toBe('levels');
  });

  it.each(['"open', '"open\\', '"open\\"', ']]]', '', '"'])(
    'is found for invalid texts as well: %s',
    (text) => {
      expect(excessOf(text, limits)).toBeNull();
    },
  );

  it.each([
    ['a long string', JSON.stringify('x'.repeat(30_000_000))],
    ['a string of quotes', JSON.stringify('"'.repeat(15_000_000))],
    ['a string of backslashes', JSON.stringify('\\'.repeat(15_000_000))],
    ['a long number', '1'.repeat(30_000_000)],
    ['closing brackets', ']'.repeat(30_000_000)],
  ])('is found without standing still in 30 MB of %s', (_, text) => {
    const started = performance.now();
    expect(excessOf(text, none)).toBeNull();
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
