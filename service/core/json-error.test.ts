import { describe, expect, it } from 'vitest';
import { findJsonError } from './json-error.ts';
import { textOf } from '../messages/index.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the error in an invalid JSON text', () => {
  it.each<[string, number, number, string]>([
    ['', 1, 1, 'the text ends, but a value is expected'],
    ['{nope', 1, 2, 'a name in double quotes or } is expected'],
    ['{"theme":', 1, 10, 'the text ends, but a value is expected'],
    ['{"a":1}}', 1, 8, 'nothing more is expected'],
    ['{\n  "a": 1,\n}', 3, 1, 'a name in double quotes is expected'],
    ['[1,\r\n\t2 3]', 2, 4, 'a comma or a closing bracket is expected'],
    ['[1}', 1, 3, 'a comma or a closing bracket is expected'],
    ["{'a':1}", 1, 2, 'a name in double quotes or } is expected'],
    ['{"a" 1}', 1, 6, 'a colon is expected'],
    ['["unterminated', 1, 2, 'this text is missing its closing quote'],
    ['["a\nb"]', 1, 4, 'a line break or control character must be escaped'],
    ['["\\x"]', 1, 3, 'there is no such escape'],
    ['["\\u12g4"]', 1, 3, 'there is no such escape'],
    ['[01]', 1, 3, 'a comma or a closing bracket is expected'],
    ['[,]', 1, 2, 'a value or ] is expected'],
    ['undefined', 1, 1, 'a value is expected'],
    ['"ä𝄞" x', 1, 7, 'nothing more is expected'],
  ])('is found by its place: %j', (text, line, column, message) => {
    expect(isJson(text)).toBe(false);
    const found = findJsonError(text);
    expect([found?.line, found?.column, textOf(found?.message ?? '')]).toEqual([
      line,
      column,
      message,
    ]);
  });

  it('has the same position as that of JSON.parse', () => {
    const whole = JSON.stringify(
      { a: [1, -2.5e-7, 0, true, false, null, 'x"\\\u2028\n'], '': {}, b: [[], {}] },
      null,
      1,
    );
    const marks = ['', '"', ',', ':', '{', ']', '\\', '0', '-', 'e', '.', '\n', '\u00a0', 'tru'];
    for (let at = 0; at <= whole.length; at += 1) {
      for (const mark of marks) {
        for (const cut of [0, 1, whole.length]) {
          const text = whole.slice(0, at) + mark + whole.slice(at + cut);
          expect(findJsonError(text) === null, JSON.stringify(text)).toBe(isJson(text));
        }
      }
    }
  });

  it('is found in long texts', () => {
    const long = `["${'x'.repeat(10_000_000)}",\n]`;
    expect(findJsonError(long)).toMatchObject({ line: 2, column: 1 });
    expect(findJsonError(`${'['.repeat(100_000)}!`)).toMatchObject({ column: 100_001 });
  });
});
