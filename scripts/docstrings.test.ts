import { describe, expect, it } from 'vitest';
import { countDocstrings, docstringFailures, questionComments } from './docstrings.ts';

describe('the count of docstrings', () => {
  it('counts exported interfaces, and those with a docstring', () => {
    const text = `
      interface Own { a: 1 }
      export interface Bare { a: 1 }
      // Not a docstring.
      export interface Remarked { a: 1 }
      /** A docstring. */
      export interface Documented { a: 1 }
      export type Other = 1;
    `;
    expect(countDocstrings('a.ts', text)).toEqual({ file: 'a.ts', exported: 3, documented: 1 });
  });

  it('passes at 90 percent', () => {
    expect(docstringFailures([{ file: 'a.ts', exported: 10, documented: 9 }], [])).toEqual([]);
  });

  it('names the files with the most missing first', () => {
    const counts = [
      { file: 'a.ts', exported: 2, documented: 1 },
      { file: 'b.ts', exported: 5, documented: 2 },
      { file: 'c.ts', exported: 3, documented: 3 },
    ];
    expect(docstringFailures(counts, [])).toEqual([
      '60.0 % of 10 exported interfaces have a docstring; at least 90 % have to. Most are missing in:',
      '  3 in b.ts',
      '  1 in a.ts',
    ]);
  });
});

const question = ['What', 'it is.'].join(' ');

describe('comments that begin with "What"', () => {
  it.each([
    ['/** What it is. */', [1]],
    ['/**\n * What it is.\n */', [2]],
    [`const a = 1; // ${question}`, [1]],
    ['// The reason.\n// What follows is more of it.', []],
    ['/** Whatever it is. */', []],
    ["it('What it is');", []],
  ])('in %j are found at their lines', (text, lines) => {
    expect(questionComments(text)).toEqual(lines);
  });

  it('are failures', () => {
    expect(docstringFailures([], ['a.ts:3'])).toEqual([
      'a.ts:3: a comment begins with "What": name the thing.',
    ]);
  });
});
