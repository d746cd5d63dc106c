import { linearPattern } from './linear-pattern.ts';
import { anyOf, isExpression, type Judgement, readExpression } from './matcher-expression.ts';

/** As the settings allow it. */
const maxMatcherLength = 2_000;

export type ReadMatcher = { judge: Judgement } | { problem: string };

/**
 * Reads a matcher: `*` or nothing is every tool; letters, digits, `_ - space , |` alone are exact names;
 * a comparison of `tool` is an expression; all else is a regular expression that is found anywhere.
 */
export function readMatcher(matcher: string | null): ReadMatcher {
  const text = matcher?.trim() ?? '';
  if (text === '' || text === '*') return { judge: () => true };
  if (text.length > maxMatcherLength) {
    return { problem: `Its matcher is longer than ${maxMatcherLength} characters.` };
  }
  if (/^[\w\- ,|]+$/.test(text)) {
    const exact = new Set(text.split(/[,|]/).map((name) => name.trim()));
    return { judge: ({ names }) => names.some((name) => exact.has(name)) };
  }
  if (isExpression(text)) {
    const judge = readExpression(text);
    return judge === null
      ? { problem: 'Its matcher is an expression that this host cannot read.' }
      : { judge };
  }
  const pattern = linearPattern(text);
  return pattern === null
    ? { problem: 'Its matcher is no regular expression that this host knows (RE2 syntax).' }
    : { judge: ({ names }) => anyOf(names, pattern.find) };
}
