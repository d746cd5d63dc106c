import { linearPattern } from './linear-pattern.ts';
import { anyOf, isExpression, type Judgement, readExpression } from './matcher-expression.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** The limit in the settings. */
const maxMatcherLength = 2_000;

/** A parsed matcher, or the reason why it is invalid. */
export type ReadMatcher = { judge: Judgement } | { problem: Message };

/**
 * Parses a matcher: `*` or nothing matches every tool; letters, digits, `_ - space , |` alone are
 * exact names; a comparison of `tool` is an expression; everything else is a regular expression
 * that may match anywhere.
 */
export function readMatcher(matcher: string | null): ReadMatcher {
  const text = matcher?.trim() ?? '';
  if (text === '' || text === '*') return { judge: () => true };
  if (text.length > maxMatcherLength) {
    return { problem: msg('contributions.matcherTooLong', { limit: maxMatcherLength }) };
  }
  if (/^[\w\- ,|]+$/.test(text)) {
    const exact = new Set(text.split(/[,|]/).map((name) => name.trim()));
    return { judge: ({ names }) => names.some((name) => exact.has(name)) };
  }
  if (isExpression(text)) {
    const judge = readExpression(text);
    return judge === null ? { problem: msg('contributions.matcherExpression') } : { judge };
  }
  const pattern = linearPattern(text);
  return pattern === null
    ? { problem: msg('contributions.matcherPattern') }
    : { judge: ({ names }) => anyOf(names, pattern.find) };
}
