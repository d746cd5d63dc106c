/**
 * Parses JSON into a tree that keeps the spelling: numbers and strings stay as they are in the
 * text, so that no digit is lost, and duplicate keys are preserved.
 *
 * @typedef {{ kind: 'object', members: Member[] }} ObjectNode
 * @typedef {{ kind: 'array', items: Node[] }} ArrayNode
 * @typedef {{ kind: 'string' | 'number' | 'literal', raw: string }} LeafNode `raw` is the JSON text
 * @typedef {ObjectNode | ArrayNode | LeafNode} Node
 * @typedef {{ key: string, rawKey: string, value: Node, offset: number }} Member
 * @typedef {{ line: number, column: number, offset: number }} Place lines and columns start at 1, a
 *   column is a character; the offset counts UTF-16 units from 0
 */

const LF = 10;
const CR = 13;
const QUOTE = 34;
const BACKSLASH = 92;
const FIRST_PRINTABLE = 32;

/** Limits the recursion of everything that walks the tree. */
export const MAX_DEPTH = 500;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERAL = /true|false|null/y;

/** The text is not JSON; `place` is the position of the error. */
export class JsonSyntaxError extends Error {
  /**
   * @param {string} message
   * @param {Place} place
   */
  constructor(message, place) {
    super(message);
    this.name = 'JsonSyntaxError';
    this.place = place;
  }
}

/**
 * Parses strict JSON (RFC 8259), skipping one byte order mark at the start.
 * @param {string} text
 * @returns {Node}
 * @throws {JsonSyntaxError}
 */
export function parseTree(text) {
  return new Parser(text).document();
}

/**
 * @param {string} text
 * @param {number} offset
 * @returns {Place}
 */
export function placeOf(text, offset) {
  let line = 1;
  let column = 1;
  for (let at = 0; at < offset; at++) {
    const c = text.charCodeAt(at);
    const endsLine = c === LF || (c === CR && text.charCodeAt(at + 1) !== LF);
    if (endsLine) line++;
    if (endsLine) column = 1;
    else if (!isRestOfPair(text, at)) column++;
  }
  return { line, column, offset };
}

/**
 * @param {string} text
 * @param {number} at
 */
function isRestOfPair(text, at) {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

class Parser {
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  document() {
    if (this.text.startsWith('\ufeff')) this.#at = 1;
    const value = this.#value(0);
    this.#skipSpace();
    if (this.#at < this.text.length) throw this.#unexpected('Nothing may follow the value');
    return value;
  }

  /**
   * @param {number} depth
   * @returns {Node}
   */
  #value(depth) {
    if (depth > MAX_DEPTH) throw this.#error(`Nested deeper than ${MAX_DEPTH} levels`);
    this.#skipSpace();
    const first = this.text[this.#at];
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    if (first === '"') return { kind: 'string', raw: this.#string() };
    const number = this.#take(NUMBER);
    if (number !== null) return this.#leaf('number', number);
    const literal = this.#take(LITERAL);
    if (literal !== null) return this.#leaf('literal', literal);
    throw this.#unexpected('Expected a value');
  }

  /**
   * @param {'number' | 'literal'} kind
   * @param {string} raw
   * @returns {LeafNode}
   */
  #leaf(kind, raw) {
    // Reports "01", "1.2.3" and "nullable" at the character that makes them invalid.
    if (/[\w.+-]/.test(this.text[this.#at] ?? ''))
      throw this.#unexpected(`Not a ${kindName(kind)}`);
    return { kind, raw };
  }

  /**
   * @param {number} depth
   * @returns {ObjectNode}
   */
  #object(depth) {
    /** @type {Member[]} */
    const members = [];
    this.#at++;
    if (this.#closes('}')) return { kind: 'object', members };
    do {
      this.#skipSpace();
      const offset = this.#at;
      if (this.text[offset] !== '"') throw this.#unexpected('Expected a key in double quotes');
      const rawKey = this.#string();
      this.#skipSpace();
      if (this.text[this.#at] !== ':') throw this.#unexpected("Expected ':' after the key");
      this.#at++;
      const value = this.#value(depth + 1);
      members.push({ key: textOf(rawKey), rawKey, value, offset });
    } while (this.#continues('}'));
    return { kind: 'object', members };
  }

  /**
   * @param {number} depth
   * @returns {ArrayNode}
   */
  #array(depth) {
    /** @type {Node[]} */
    const items = [];
    this.#at++;
    if (this.#closes(']')) return { kind: 'array', items };
    do items.push(this.#value(depth + 1));
    while (this.#continues(']'));
    return { kind: 'array', items };
  }

  /** @param {string} end */
  #closes(end) {
    this.#skipSpace();
    if (this.text[this.#at] !== end) return false;
    this.#at++;
    return true;
  }

  /** @param {string} end */
  #continues(end) {
    if (this.#closes(end)) return false;
    if (this.text[this.#at] !== ',') throw this.#unexpected(`Expected ',' or '${end}'`);
    this.#at++;
    return true;
  }

  /** Returns the string as written, with its quotes. */
  #string() {
    const start = this.#at;
    this.#at++;
    for (;;) {
      this.#skipPlain();
      const stop = this.text[this.#at];
      if (stop === '"') {
        this.#at++;
        return this.text.slice(start, this.#at);
      }
      if (stop === undefined) throw this.#error('The string is not closed');
      if (stop !== '\\') throw this.#error('A control character must be written as an escape');
      if (this.#take(ESCAPE) === null) throw this.#error('Not an escape that JSON knows');
    }
  }

  /** @param {RegExp} pattern */
  #take(pattern) {
    const start = this.#at;
    pattern.lastIndex = start;
    if (!pattern.test(this.text)) return null;
    this.#at = pattern.lastIndex;
    return this.text.slice(start, this.#at);
  }

  #skipSpace() {
    for (;;) {
      const c = this.text[this.#at];
      if (c !== ' ' && c !== '\n' && c !== '\r' && c !== '\t') return;
      this.#at++;
    }
  }

  /**
   * A loop, because a regular expression would overflow its stack on a string of many megabytes.
   */
  #skipPlain() {
    for (; this.#at < this.text.length; this.#at++) {
      const c = this.text.charCodeAt(this.#at);
      if (c === QUOTE || c === BACKSLASH || c < FIRST_PRINTABLE) return;
    }
  }

  /** @param {string} expectation */
  #unexpected(expectation) {
    const found = this.text.codePointAt(this.#at);
    if (found === undefined) return this.#error(`${expectation}, but the text ends here`);
    return this.#error(`${expectation}, but found ${JSON.stringify(String.fromCodePoint(found))}`);
  }

  /** @param {string} message */
  #error(message) {
    return new JsonSyntaxError(`${message}.`, placeOf(this.text, this.#at));
  }
}

/** @param {'number' | 'literal'} kind */
const kindName = (kind) => (kind === 'number' ? 'number' : 'word that JSON knows');

/**
 * Returns the value of a raw JSON string.
 * @param {string} raw
 * @returns {string}
 */
export const textOf = (raw) => (raw.includes('\\') ? JSON.parse(raw) : raw.slice(1, -1));
