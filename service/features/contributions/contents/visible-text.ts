import { visible } from '../../../platform/archives/archive-problems.ts';

const maxNameLength = 128;

/** The text on one line: trimmed, with single spaces, and with invisible characters replaced. */
export function oneLine(text: string): string {
  return visible(text.toWellFormed().replace(/\s+/gu, ' ').trim());
}

/** The first `maxLength` characters, followed by `…` if the text is longer. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // A surrogate pair must not be split.
  const head = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  return `${head.trimEnd()}…`;
}

/**
 * One line of at most `maxLength` characters; null if it is not a text or has no visible character.
 */
export function visibleText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  const text = oneLine(value);
  return text === '' ? null : cut(text, maxLength);
}

/** A name that is usable in a list, an address and a file name; null if the text is not. */
export function usableName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = oneLine(value);
  const misleads = name === '' || /^\.+$/.test(name) || /[/\\]/.test(name);
  return misleads || name.length > maxNameLength ? null : name;
}

/** Makes the name of a file or folder usable as the name of its contents. */
export function nameOfFile(name: string): string {
  const safe = oneLine(name).replace(/[/\\]/g, '-').slice(0, maxNameLength);
  return /^\.*$/.test(safe) ? 'unnamed' : safe;
}
