import { visible } from '../../../platform/archives/archive-problems.ts';

const lineBreaks = /[\t-\r\u0085\p{Zl}\p{Zp}]+/gu;
const shows = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/**
 * A text of a catalogue in one line, safe to show: without control and direction-changing characters, at most
 * `maxLength` UTF-16 units. Empty for anything that is not a text or shows nothing.
 */
export function cleanText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  // Cutting first: nobody pays for cleaning 16 MiB of which 200 characters stay.
  const start = value.slice(0, 2 * maxLength);
  const plain = /^[\x20-\x7e]*$/.test(start)
    ? start
    : visible(start.replace(lineBreaks, ' ')).toWellFormed();
  if (!/[!-~]/.test(plain) && !shows.test(plain)) return '';
  const text = plain.trim();
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
