import { visible } from '../../../platform/archives/archive-problems.ts';

const maxNameLength = 128;

/** On one line, blanks at the ends taken off and those between made one, characters that hide replaced. */
export function oneLine(text: string): string {
  return visible(text.toWellFormed().replace(/\s+/gu, ' ').trim());
}

/** The beginning of a text, with `…` where it went on; at most `maxLength` characters and that one. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Half of a character that takes two is none.
  const head = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  return `${head.trimEnd()}…`;
}

/** One line of at most `maxLength` characters; null for what is no text or has nothing to show. */
export function visibleText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  const text = oneLine(value);
  return text === '' ? null : cut(text, maxLength);
}

/** A name that can stand in a list, an address and a file name; null where the text cannot be one. */
export function usableName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = oneLine(value);
  const misleads = name === '' || /^\.+$/.test(name) || /[/\\]/.test(name);
  return misleads || name.length > maxNameLength ? null : name;
}

/** What a file or folder is called, made usable as the name of what it holds. */
export function nameOfFile(name: string): string {
  const safe = oneLine(name).replace(/[/\\]/g, '-').slice(0, maxNameLength);
  return /^\.*$/.test(safe) ? 'unnamed' : safe;
}
