import { expect, it } from 'vitest';
import { countDocstrings } from './docstrings.ts';

it('exported interfaces are counted by whether a docstring stands above them', () => {
  const text = `/** Documented. */
export interface A { a: string }
export interface B { b: string }
// A comment is no docstring.
export interface C { c: string }
interface Private { d: string }
export type Alias = string;
`;
  expect(countDocstrings('a.ts', text)).toEqual({
    documented: 1,
    undocumented: ['a.ts:3 B', 'a.ts:5 C'],
  });
});
