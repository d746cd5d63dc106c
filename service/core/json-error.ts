import { type Message, msg } from '../messages/index.ts';

/** Where a text stops being JSON; line and column count from 1, columns in UTF-16 units as editors do. */
export interface JsonError {
  line: number;
  column: number;
  /** The message without its position. */
  message: Message;
}

type Expected = 'value' | 'valueOrEnd' | 'nameOrEnd' | 'name' | 'colon' | 'separator' | 'end';

const messages: Record<Expected, Message> = {
  value: msg('json.expectsValue'),
  valueOrEnd: msg('json.expectsValueOrEnd'),
  nameOrEnd: msg('json.expectsNameOrEnd'),
  name: msg('json.expectsName'),
  colon: msg('json.expectsColon'),
  separator: msg('json.expectsSeparator'),
  end: msg('json.expectsEnd'),
};

/**
 * Finds the first character at which a text stops being JSON, since only some messages of
 * `JSON.parse` name it. Null for valid JSON.
 */
export function findJsonError(text: string): JsonError | null {
  const open: Open = [];
  let expected: Expected = 'value';
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const step: Step = reads[expected](text, at, open);
    if ('code' in step) return placed(text, at, step);
    if ('brokenAt' in step) return placed(text, step.brokenAt, step.message);
    expected = step.next;
    at = skipSpace(text, step.end);
  }
  return expected === 'end'
    ? null
    : placed(text, at, msg('json.ends', { problem: messages[expected] }));
}

type Open = ('{' | '[')[];
type Step = { next: Expected; end: number } | { brokenAt: number; message: Message } | Message;
type Read = (text: string, at: number, open: Open) => Step;

const readName: Read = (text, at) =>
  text.charAt(at) === '"' ? stringFrom(text, at, 'colon') : messages.name;

/** Readers by expected token: each returns the next step or the error. */
const reads: Record<Expected, Read> = {
  value: (text, at, open) => valueFrom(text, at, open) ?? messages.value,
  valueOrEnd: (text, at, open) =>
    closedAt(text, at, open) ?? valueFrom(text, at, open) ?? messages.valueOrEnd,
  name: readName,
  nameOrEnd(text, at, open) {
    const step = closedAt(text, at, open) ?? readName(text, at, open);
    return step === messages.name ? messages.nameOrEnd : step;
  },
  colon: (text, at) => (text.charAt(at) === ':' ? { next: 'value', end: at + 1 } : messages.colon),
  separator(text, at, open) {
    if (text.charAt(at) !== ',') return closedAt(text, at, open) ?? messages.separator;
    return { next: open.at(-1) === '{' ? 'name' : 'value', end: at + 1 };
  },
  end: () => messages.end,
};

/** Null when the innermost bracket is not closed here. */
function closedAt(text: string, at: number, open: Open): Step | null {
  if (text.charAt(at) !== (open.at(-1) === '{' ? '}' : ']')) return null;
  open.pop();
  return { next: afterValue(open), end: at + 1 };
}

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Null when no value starts here. */
function valueFrom(text: string, at: number, open: Open): Step | null {
  const char = text.charAt(at);
  if (char === '{' || char === '[') {
    open.push(char);
    return { next: char === '{' ? 'nameOrEnd' : 'valueOrEnd', end: at + 1 };
  }
  if (char === '"') return stringFrom(text, at, afterValue(open));
  scalar.lastIndex = at;
  return scalar.test(text) ? { next: afterValue(open), end: scalar.lastIndex } : null;
}

const afterValue = (open: Open): Expected => (open.length === 0 ? 'end' : 'separator');

const escape = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

function stringFrom(text: string, start: number, next: Expected): Step {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { next, end: at + 1 };
    if (code < 0x20) return { brokenAt: at, message: msg('json.escapeControl') };
    if (code !== 0x5c) {
      at += 1;
      continue;
    }
    escape.lastIndex = at;
    if (!escape.test(text)) return { brokenAt: at, message: msg('json.noSuchEscape') };
    at = escape.lastIndex;
  }
  return { brokenAt: start, message: msg('json.openText') };
}

function skipSpace(text: string, from: number): number {
  const space = /[ \t\n\r]*/y;
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

function placed(text: string, offset: number, message: Message): JsonError {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1, message };
}
