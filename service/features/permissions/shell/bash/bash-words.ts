import { ansiText } from '../ansi-text.ts';
import { unknownPart, type Word } from '../segment.ts';
import { Unreadable, type BashReading } from './bash-reading.ts';
import { mayHideOption, newParts, type Parts } from './word-parts.ts';
import { msg } from '../../../../messages/index.ts';

/** A word of bash with the details that only the reader needs. */
export interface BashWord extends Word {
  /** True without quotes, escapes and expansions: the shell sees the text as written. */
  bare: boolean;
  /** True if a backslash and a newline are inside the word. */
  continued: boolean;
  /** True if every expansion of the word is a number. */
  isNumber: boolean;
}

const endsWord = ' \t\n;&|()<>';
const substitutionLimit = 60;
const fullName = /[A-Za-z_]\w*/y;
const parameterName = /[A-Za-z_]\w*|\d+|[@*#?$!-]/y;
const knownSubscript = /\[(?:[@*]|\d+)\]/y;
const knownSubstring = /:\s?-?\d+(?::-?\d+)?(?=\})/y;
/** Counters and status codes of the shell, also in quotes. */
export const alwaysNumber = /^("?)\$(?:[#?$!]|\{#\w+\}|\(\([\w\s+\-*/%]*\)\))\1$/;
const arithmeticText = /[\d\s+\-*/%<>=!&|^~?:,]+/y;
const arithmeticNumber = /\d+#\w+|0[xX][\dA-Fa-f]+|\d+/y;

/** Reads words with quotes and expansions by the rules of bash. */
export abstract class WordReader {
  protected at = 0;
  protected readonly text: string;
  protected readonly reading: BashReading;
  protected readonly depth: number;

  constructor(text: string, reading: BashReading, depth: number) {
    this.text = text;
    this.reading = reading;
    this.depth = depth;
    if (depth > substitutionLimit) throw new Unreadable(msg('command.nestedTooDeep'));
  }

  /** Reads commands up to and including the bracket that closes a substitution. */
  protected abstract commandsInBrackets(): void;

  /** Reads a nested text with the same shared state. */
  protected abstract nested(text: string): void;

  protected match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return null;
    this.at += found.length;
    return found;
  }

  protected isAt(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Returns null if no word starts here. */
  protected word(): BashWord | null {
    const start = this.at;
    const parts = newParts();
    while (this.at < this.text.length && this.part(parts));
    if (this.at === start) return null;
    return this.finishWord(this.text.slice(start, this.at), parts);
  }

  private finishWord(text: string, parts: Parts): BashWord {
    const { value, expanded, quoted, continued } = parts;
    if (/\{.*(?:,|\.\.)/s.test(text) && parts.braces) {
      parts.split = true;
      this.reading.plain = false;
    }
    if (expanded) this.reading.plain = false;
    const pattern = parts.glob || parts.split;
    return {
      text,
      value,
      literal: !expanded && !pattern,
      mayHideOption: mayHideOption(parts),
      bare: !quoted && !expanded && !continued,
      continued,
      isNumber: /^-?\d+$/.test(value) || alwaysNumber.test(text),
    };
  }

  /** Reads one piece of a word; returns false at its end. */
  private part(parts: Parts): boolean {
    const char = this.text.charAt(this.at);
    const next = this.text.charAt(this.at + 1);
    if (/[<>]/.test(char) && next === '(') return this.processSubstitution(parts);
    if (endsWord.includes(char)) return false;
    if (char === '\\') return this.escape(parts, next);
    if (char === "'") return this.singleQuoted(parts);
    if (char === '"') return this.doubleQuoted(parts);
    if (char === '$') return this.dollar(parts, false);
    if (char === '`') return this.backticks(parts, false);
    this.bare(parts, char);
    return true;
  }

  private bare(parts: Parts, char: string): void {
    // A bracket without its closing bracket is literal, as in the program `[`.
    const isClosed = char !== '[' || /^\[\S*\]/.test(this.text.slice(this.at, this.at + 1_000));
    if ('[*?'.includes(char) && isClosed) {
      if (parts.value === '') parts.firstIsOpen = true;
      parts.glob = true;
    }
    parts.braces ||= char === '{';
    parts.value += char;
    this.at += 1;
  }

  private escape(parts: Parts, next: string): true {
    if (next === '') throw new Unreadable(msg('command.endsWithBackslash'));
    if (next === '\n') parts.continued = true;
    else {
      parts.quoted = true;
      parts.value += next;
    }
    this.at += 2;
    return true;
  }

  private singleQuoted(parts: Parts): true {
    const end = this.text.indexOf("'", this.at + 1);
    if (end < 0) throw new Unreadable(msg('command.quoteOpen'));
    parts.quoted = true;
    parts.value += this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return true;
  }

  private doubleQuoted(parts: Parts): true {
    parts.quoted = true;
    this.at += 1;
    for (;;) {
      const char = this.text.charAt(this.at);
      const next = this.text.charAt(this.at + 1);
      if (char === '') throw new Unreadable(msg('command.quoteOpen'));
      if (char === '"') break;
      if (char === '$') this.dollar(parts, true);
      else if (char === '`') this.backticks(parts, true);
      else if (char === '\\' && '$`"\\\n'.includes(next) && next !== '') {
        if (next !== '\n') parts.value += next;
        this.at += 2;
      } else {
        parts.value += char;
        this.at += 1;
      }
    }
    this.at += 1;
    return true;
  }

  private expanded(parts: Parts, inQuotes: boolean, several = false): true {
    if (parts.value === '') parts.firstIsOpen = true;
    parts.expanded = true;
    if (!inQuotes || several) parts.split = true;
    parts.value += unknownPart;
    return true;
  }

  /** Reads the expansion that a dollar sign starts; the sign itself if it starts none. */
  protected dollar(parts: Parts, inQuotes: boolean): true {
    const next = this.text.charAt(this.at + 1);
    if (this.isAt('$\\\n')) throw new Unreadable(msg('command.expansionBroken'));
    if (next === '(') {
      if (this.isAt('$((') && this.arithmeticExpansion()) return this.expanded(parts, inQuotes);
      this.at += 2;
      this.commandsInBrackets();
      return this.expanded(parts, inQuotes);
    }
    if (next === '{') return this.parameter(parts, inQuotes);
    if (next === '[') return this.oldArithmetic(parts, inQuotes);
    if (/['"]/.test(next) && !inQuotes) return this.dollarQuoted(parts, next);
    this.at += 1;
    if (this.match(fullName) !== null) return this.expanded(parts, inQuotes);
    if (/[\d@*#?$!-]/.test(next)) {
      this.at += 1;
      return this.expanded(parts, inQuotes, next === '@');
    }
    parts.value += '$';
    return true;
  }

  private dollarQuoted(parts: Parts, quote: string): true {
    if (quote === "'") return this.ansiQuoted(parts);
    this.reading.fail(msg('command.translatedText'));
    this.at += 1;
    return true;
  }

  private ansiQuoted(parts: Parts): true {
    let end = this.at + 2;
    while (end < this.text.length && this.text[end] !== "'") end += this.text[end] === '\\' ? 2 : 1;
    if (end >= this.text.length) throw new Unreadable(msg('command.quoteOpen'));
    const inside = this.text.slice(this.at + 2, end);
    const decoded = ansiText(inside);
    // Control characters and bytes above 127 depend on the locale and the version.
    if (/\\c|[\u0000\u0080-\u009F\uFFFD]/.test(inside + decoded) || /\\[xuU0-7]/.test(inside))
      this.reading.fail(msg('command.numericCharacters'));
    parts.quoted = true;
    parts.value += decoded;
    this.at = end + 1;
    return true;
  }

  protected backticks(parts: Parts, inQuotes: boolean): true {
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== '`') end += this.text[end] === '\\' ? 2 : 1;
    if (end >= this.text.length) throw new Unreadable(msg('command.backtickOpen'));
    const written = this.text.slice(this.at + 1, end);
    const escapes = inQuotes ? /\\([$`\\"])/g : /\\([$`\\])/g;
    this.at = end + 1;
    this.nested(written.replaceAll(escapes, '$1'));
    return this.expanded(parts, inQuotes);
  }

  private processSubstitution(parts: Parts): true {
    this.at += 2;
    this.commandsInBrackets();
    return this.expanded(parts, true);
  }

  /** Reads `${…}` in the forms whose operand has no quotes of its own. */
  private parameter(parts: Parts, inQuotes: boolean): true {
    const start = this.at;
    this.at += 2;
    if (this.isAt('!')) {
      this.reading.fail(msg('command.indirectVariable'));
      this.at += 1;
    } else if (this.isAt('#') && !this.isAt('#}')) this.at += 1;
    const name = this.match(parameterName);
    if (name === null) throw new Unreadable(msg('command.unknownExpansion'));
    if (this.isAt('[') && this.match(knownSubscript) === null) this.unknownSubscript();
    this.operation(name, inQuotes);
    if (!this.isAt('}')) throw new Unreadable(msg('command.unknownExpansion'));
    this.at += 1;
    return this.expanded(parts, inQuotes, this.text.slice(start, this.at).includes('@'));
  }

  private unknownSubscript(): void {
    this.reading.fail(msg('command.subscript'));
    this.at += 1;
    this.operand(']', true);
    this.at += 1;
  }

  private operation(name: string, inQuotes: boolean): void {
    if (this.isAt('}')) return;
    if (this.match(knownSubstring) !== null) return;
    const operator = this.match(/:?[-=+?]|##?|%%?|\/\/?|\^\^?|,,?|@|:/y);
    if (operator === null) throw new Unreadable(msg('command.unknownExpansion'));
    if (operator === ':') this.reading.fail(msg('command.evaluatesOffset'));
    if (operator === '@' && this.match(/[QULuak](?=\})/y) === null)
      this.reading.fail(msg('command.runsVariable'));
    if (operator.endsWith('=')) this.reading.assign(name);
    this.operand('}', inQuotes);
  }

  /** Reads the rest of an expansion. Versions of bash treat quotes in it differently. */
  private operand(end: string, inQuotes: boolean): void {
    const parts = newParts();
    while (!this.isAt(end)) {
      const char = this.text.charAt(this.at);
      if (char === '') throw new Unreadable(msg('command.expansionOpen'));
      if (/['"\\{\n]/.test(char)) this.reading.fail(msg('command.quotesInExpansion'));
      if (char === '$') this.dollar(parts, inQuotes);
      else if (char === '`') this.backticks(parts, inQuotes);
      else if (/[<>]/.test(char) && this.text[this.at + 1] === '(') this.processSubstitution(parts);
      else if (char === '"') this.doubleQuoted(parts);
      else if (char === "'" && !inQuotes) this.singleQuoted(parts);
      else this.at += char === '\\' ? 2 : 1;
    }
  }

  private oldArithmetic(parts: Parts, inQuotes: boolean): true {
    this.reading.fail(msg('command.oldArithmetic'));
    this.at += 2;
    this.operand(']', true);
    this.at += 1;
    return this.expanded(parts, inQuotes);
  }

  private arithmeticExpansion(): boolean {
    const start = this.at;
    this.at += 3;
    if (this.arithmetic('))')) return true;
    this.at = start;
    return false;
  }

  /**
   * Reads numbers, operators and names up to and including `close`. Returns false for anything
   * else: then the line is not understood, and the position is unchanged.
   */
  protected arithmetic(close: string): boolean {
    const start = this.at;
    let depth = 0;
    for (;;) {
      if (depth === 0 && this.isAt(close)) break;
      if (this.match(arithmeticNumber) !== null || this.match(arithmeticText) !== null) continue;
      const name = this.match(fullName) ?? this.match(/\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})/y);
      if (name !== null) this.reading.evaluate(name.replaceAll(/[${}]/g, ''));
      else if (this.match(/\$[#?$]/y) !== null) continue;
      else if (this.match(/\(/y) !== null) depth += 1;
      else if (depth > 0 && this.match(/\)/y) !== null) depth -= 1;
      else {
        this.reading.fail(msg('command.arithmetic'));
        this.at = start;
        return false;
      }
    }
    this.at += close.length;
    this.reading.plain = false;
    return true;
  }

  /** Reads the text of a here-document with expansions. */
  protected expandedText(): void {
    const parts = newParts();
    while (this.at < this.text.length) {
      const char = this.text.charAt(this.at);
      if (char === '$') this.dollar(parts, true);
      else if (char === '`') this.backticks(parts, false);
      else this.at += char === '\\' ? 2 : 1;
    }
  }
}
