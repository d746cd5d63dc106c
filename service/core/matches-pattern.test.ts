import { expect, it } from 'vitest';
import { matchesPattern } from './matches-pattern.ts';

it.each<[string, string, boolean]>([
  ['web_search', 'web_search', true],
  ['web_search', 'web_searches', false],
  ['web_*', 'web_search', true],
  ['*', '', true],
  ['*', 'anything', true],
  ['mcp__*__read', 'mcp__files__read', true],
  ['mcp__*__read', 'mcp__files__reads', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['*b*b*', 'abcbd', true],
  ['*b*b*', 'abcd', false],
  ['ab*bc', 'abc', false],
  ['a.c', 'abc', false],
  ['(*', '(x', true],
])('%s and %s: %s', (pattern, name, expected) => {
  expect(matchesPattern(pattern, name)).toBe(expected);
});

it('with many stars is fast', () => {
  expect(matchesPattern('a*'.repeat(100), `${'a'.repeat(20_000)}b`)).toBe(true);
  expect(matchesPattern(`${'a*'.repeat(100)}c`, 'a'.repeat(20_000))).toBe(false);
});
