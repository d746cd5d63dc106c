import { visible } from '../../../platform/archives/archive-problems.ts';

const lineBreaks = /[\t-\r\u0085\p{Zl}\p{Zp}]+/gu;
const shows = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/**
 * A text of a catalog that is safe to show: one line without control and bidirectional characters,
 * at most `maxLength` UTF-16 units. Empty for other types and invisible texts.
 */
export function cleanText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  // Shortened first, since cleaning 16 MiB to keep 200 characters would be wasteful.
  const start = value.slice(0, 2 * maxLength);
  const plain = /^[\x20-\x7e]*$/.test(start)
    ? start
    : visible(start.replace(lineBreaks, ' ')).toWellFormed();
  if (!/[!-~]/.test(plain) && !shows.test(plain)) return '';
  const text = plain.trim();
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
