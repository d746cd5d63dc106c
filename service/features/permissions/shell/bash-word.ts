import { ansiText } from './ansi-text.ts';
import { unknownPart, type Word } from './segment.ts';

/** Where in the word the grammar saw an expansion. */
export interface Span {
  start: number;
  end: number;
}

interface Reading {
  text: string;
  at: number;
  /** In the order of the text. */
  spans: readonly Span[];
  nextSpan: number;
  value: string;
  /** Quoted parts count as literal, also when what they hold is expanded. */
  expanded: boolean;
  split: boolean;
  pattern: boolean;
  firstIsOpen: boolean;
}

/** Ends a word where nothing quotes them. */
const metacharacters = ' \t\r\n;|&()<>`';
const patternStarts = '*?[';

/**
 * Removes the quotes of one word by the rules of bash. Null: the text is not one word, so the grammar
 * and the shell see different things.
 */
export function bashWord(text: string, spans: readonly Span[]): Word | null {
  if (isPlain(text)) return { text, value: text, literal: true, mayHideOption: false };
  const reading: Reading = {
    ...{ text, spans, nextSpan: 0, at: 0, value: '' },
    ...{ expanded: false, split: false, pattern: false, firstIsOpen: false },
  };
  if (text.startsWith('#')) return null;
  while (reading.at < text.length) if (!unquoted(reading)) return null;
  if (text.includes('{') && hasBraceList(text)) reading.pattern = reading.split = true;
  return {
    text,
    value: reading.value,
    literal: !reading.expanded && !reading.pattern,
    mayHideOption: mayHideOption(reading),
  };
}

function isPlain(text: string): boolean {
  return /^[\w./:=@%+,-]+$/.test(text);
}

function unquoted(reading: Reading): boolean {
  const { text, at } = reading;
  if (expansion(reading, false)) return true;
  const char = text.charAt(at);
  const quotes = opening(reading, char, text.charAt(at + 1));
  if (quotes !== undefined) return quotes;
  if (metacharacters.includes(char) || startsExpansion(text, at)) return false;
  if (patternStarts.includes(char)) {
    reading.pattern = true;
    if (reading.value === '') reading.firstIsOpen = true;
  }
  return take(reading, char, at + 1);
}

/** Undefined: no quote starts here. False: one does, and does not end. */
function opening(reading: Reading, char: string, next: string): boolean | undefined {
  const { text, at } = reading;
  if (char === '\\') return escaped(reading);
  if (char === "'") return quoted(reading, text.indexOf("'", at + 1), 1, (inner) => inner);
  if (char === '"') return doubleQuoted(reading, at + 1);
  if (char === '$' && next === "'") return ansiQuoted(reading);
  if (char === '$' && next === '"') return doubleQuoted(reading, at + 2);
  return undefined;
}

function take(reading: Reading, value: string, next: number): true {
  reading.value += value;
  reading.at = next;
  return true;
}

/** Steps over what the grammar took for an expansion. */
function expansion(reading: Reading, inQuotes: boolean): boolean {
  const { spans, at, text } = reading;
  let span = spans[reading.nextSpan];
  while (span !== undefined && span.start < at) span = spans[(reading.nextSpan += 1)];
  if (span?.start !== at) return false;
  if (reading.value === '') reading.firstIsOpen = true;
  reading.expanded = true;
  if (!inQuotes || text.slice(span.start, span.end).includes('@')) reading.split = true;
  return take(reading, unknownPart, span.end);
}

function startsExpansion(text: string, at: number): boolean {
  return text[at] === '$' && /[\w@*#?!({[-]/.test(text[at + 1] ?? '') && text[at + 1] !== '"';
}

function escaped(reading: Reading): boolean {
  const next = reading.text[reading.at + 1];
  if (next === undefined) return take(reading, '\\', reading.at + 1);
  return take(reading, next === '\n' ? '' : next, reading.at + 2);
}

function quoted(
  reading: Reading,
  end: number,
  opening: number,
  decode: (inner: string) => string,
): boolean {
  if (end < 0) return false;
  return take(reading, decode(reading.text.slice(reading.at + opening, end)), end + 1);
}

function ansiQuoted(reading: Reading): boolean {
  let end = reading.at + 2;
  while (end < reading.text.length && reading.text[end] !== "'")
    end += reading.text[end] === '\\' ? 2 : 1;
  return end < reading.text.length && quoted(reading, end, 2, ansiText);
}

function doubleQuoted(reading: Reading, start: number): boolean {
  const { text } = reading;
  reading.at = start;
  while (reading.at < text.length) {
    const { at } = reading;
    const char = text.charAt(at);
    if (char === '"') return take(reading, '', at + 1);
    if (expansion(reading, true)) continue;
    if (char === '`' || startsExpansion(text, at)) return false;
    if (char === '\\' && /[$`"\\\n]/.test(text.charAt(at + 1))) escaped(reading);
    else take(reading, char, at + 1);
  }
  return false;
}

/** `{a,b}` and `{1..3}` outside of quotes; more than bash takes for one. */
function hasBraceList(text: string): boolean {
  const bare = text.replaceAll(/\\.|'[^']*'|"(?:[^"\\]|\\.)*"/gs, '_');
  return /(?<!\$)\{[^{}]*(?:,|\.\.)/.test(bare);
}

function mayHideOption({ value, firstIsOpen, split, expanded, pattern }: Reading): boolean {
  if (firstIsOpen || split) return true;
  if (!expanded && !pattern) return false;
  const known = value.split(unknownPart, 1)[0] ?? '';
  return known.startsWith('-') && !known.includes('=');
}
