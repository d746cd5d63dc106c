import { type Redirection, segmentOf } from '../segment.ts';
import { Unreadable } from './bash-reading.ts';
import { reservedWords, SimpleCommandReader } from './bash-simple-commands.ts';
import type { BashWord } from './bash-words.ts';
import { msg } from '../../../../messages/index.ts';

const identifier = /^[A-Za-z_]\w*$/;

/** Reads the commands of a bash text. Unknown syntax is reported, never misread. */
export class BashCommands extends SimpleCommandReader {
  /** @throws Unreadable for text that this reader does not understand */
  read(): void {
    this.list(new Set());
    if (this.at < this.text.length) throw new Unreadable(msg('command.syntaxError'));
    if (this.heredocs.length > 0) throw new Unreadable(msg('command.hereDocumentMissing'));
  }

  protected override nested(text: string): void {
    new BashCommands(text, this.reading, this.depth + 1).read();
  }

  protected override commandsInBrackets(): void {
    const inner = new BashCommands(this.text, this.reading, this.depth + 1);
    inner.at = this.at;
    inner.list(new Set());
    if (!inner.isAt(')')) throw new Unreadable(msg('command.bracketOpen'));
    if (inner.heredocs.length > 0) throw new Unreadable(msg('command.hereDocumentMissing'));
    this.at = inner.at + 1;
    this.reading.plain = false;
  }

  protected override nestedHeredoc(text: string): void {
    new BashCommands(text, this.reading, this.depth + 1).expandedText();
  }

  private isAtListEnd(): boolean {
    return this.at >= this.text.length || this.isAt(')') || this.isAt(';;') || this.isAt(';&');
  }

  /**
   * Reads commands up to the end of the text, a closing bracket, the end of a case, or one of
   * `ends`.
   */
  private list(ends: ReadonlySet<string>): void {
    for (;;) {
      this.blankLines();
      if (this.isAtListEnd()) return;
      const word = this.peekReserved();
      if (word !== null && ends.has(word)) return;
      this.andOr();
      this.blanks();
      if (this.isAtListEnd()) return;
      if (this.isAt('\n')) continue;
      if (this.match(/&(?!&)/y) !== null) this.reading.plain = false;
      else if (this.match(/;/y) === null) throw new Unreadable(msg('command.syntaxError'));
    }
  }

  private andOr(): void {
    do {
      this.blankLines();
      this.pipeline();
      this.blanks();
    } while (this.match(/&&|\|\|/y) !== null);
  }

  private pipeline(): void {
    for (let word = this.peekReserved(); word === '!' || word === 'time';) {
      this.reading.plain = false;
      this.at += word.length;
      this.blanks();
      if (word === 'time' && this.match(/-p(?=[ \t\n])/y) !== null) this.blanks();
      word = this.peekReserved();
    }
    for (let isPiped = false; ; isPiped = true) {
      this.command(isPiped);
      this.blanks();
      if (this.isAt('||') || !this.isAt('|')) return;
      if (this.match(/\|&/y) !== null) this.reading.plain = false;
      else this.at += 1;
      this.blankLines();
    }
  }

  private command(isPiped: boolean): void {
    const word = this.peekReserved();
    if (word === null && !this.isAt('(')) return this.simple(isPiped);
    this.reading.plain = false;
    this.compound(word);
    this.blanks();
    const redirections: Redirection[] = [];
    const start = this.at;
    while (this.redirect(redirections)) this.blanks();
    if (redirections.length === 0) return;
    const text = this.text.slice(start, this.at).trim();
    this.reading.segments.push({ ...segmentOf([]), text, redirections });
  }

  private compound(word: string | null): void {
    if (word === null) return this.brackets();
    this.at += word.length;
    switch (word) {
      case '{':
        return void this.until('}');
      case 'if':
        return this.ifCommand();
      case 'while':
      case 'until':
        this.until('do');
        return void this.until('done');
      case 'for':
      case 'select':
        return this.forCommand();
      case 'case':
        return this.caseCommand();
      case 'function':
        return this.functionBody(true);
      case '[[':
        return this.condition();
      case 'coproc':
        return this.coprocess();
      default:
        throw new Unreadable(msg('command.syntaxError'));
    }
  }

  /** Reads commands and the keyword that follows them. */
  private until(...ends: string[]): string {
    this.list(new Set(ends));
    const word = this.peekReserved();
    if (word === null || !ends.includes(word)) throw new Unreadable(msg('command.syntaxError'));
    this.at += word.length;
    return word;
  }

  private brackets(): void {
    if (this.isAt('((')) {
      const start = this.at;
      this.at += 2;
      if (this.arithmetic('))')) return;
      this.at = start;
    }
    this.at += 1;
    this.commandsInBrackets();
  }

  private ifCommand(): void {
    this.until('then');
    for (let word = 'elif'; word !== 'fi';) {
      word = this.until('elif', 'else', 'fi');
      if (word === 'elif') this.until('then');
      if (word === 'else') return void this.until('fi');
    }
  }

  private forCommand(): void {
    this.blanks();
    if (this.isAt('((')) this.forArithmetic();
    else this.forWords();
    this.blankLines();
    if (this.peekReserved() !== 'do') throw new Unreadable(msg('command.syntaxError'));
    this.at += 2;
    this.until('done');
  }

  private forArithmetic(): void {
    this.at += 2;
    for (const close of [';', ';', '))']) {
      if (this.arithmetic(close)) continue;
      throw new Unreadable(msg('command.arithmetic'));
    }
    this.blanks();
    this.match(/;/y);
  }

  private forWords(): void {
    const name = this.word();
    if (name === null || !name.bare || !identifier.test(name.value))
      throw new Unreadable(msg('command.syntaxError'));
    this.blankLines();
    const words: BashWord[] = [];
    if (this.peekReserved() === 'in') {
      this.at += 2;
      for (this.blanks(); !this.isAt(';') && !this.isAt('\n'); this.blanks()) {
        const word = this.word();
        if (word === null) throw new Unreadable(msg('command.syntaxError'));
        words.push(word);
      }
    }
    const isNumber = words.length > 0 && words.every((word) => word.isNumber);
    this.reading.assign(name.value, isNumber);
    this.match(/;/y);
  }

  private caseCommand(): void {
    this.blanks();
    if (this.word() === null) throw new Unreadable(msg('command.syntaxError'));
    this.blankLines();
    if (this.peekReserved() !== 'in') throw new Unreadable(msg('command.syntaxError'));
    this.at += 2;
    for (;;) {
      this.blankLines();
      if (this.peekReserved() === 'esac') break;
      this.casePatterns();
      this.list(new Set(['esac']));
      if (this.match(/;;&|;;|;&/y) === null && this.peekReserved() !== 'esac')
        throw new Unreadable(msg('command.syntaxError'));
    }
    this.at += 4;
  }

  private casePatterns(): void {
    this.match(/\(/y);
    do {
      this.blanks();
      if (this.word() === null) throw new Unreadable(msg('command.syntaxError'));
      this.blanks();
    } while (this.match(/\|/y) !== null);
    if (this.match(/\)/y) === null) throw new Unreadable(msg('command.syntaxError'));
  }

  /** Reads the body after `function`, or after the brackets of `name ()`. */
  protected override functionBody(isNamed: boolean): void {
    if (isNamed) {
      this.blanks();
      const name = this.word();
      if (name === null || !name.bare) throw new Unreadable(msg('command.syntaxError'));
      this.checkFunctionName(name.value);
      this.match(/[ \t]*\([ \t]*\)/y);
    }
    this.reading.plain = false;
    this.blankLines();
    const word = this.peekReserved();
    if (word === null && !this.isAt('(')) throw new Unreadable(msg('command.syntaxError'));
    this.command(false);
  }

  private coprocess(): void {
    this.reading.fail(msg('command.coprocess'));
    this.blanks();
    const start = this.at;
    // A name may precede the compound command of a coprocess.
    const name = this.match(/[A-Za-z_]\w*(?=[ \t]+(?:[{(]|(?:if|for|while|until|case)[ \t\n]))/y);
    if (name !== null && reservedWords.has(name)) this.at = start;
    this.blanks();
    this.command(false);
  }

  private condition(): void {
    const words: BashWord[] = [];
    for (;;) {
      this.blankLines();
      if (this.match(/\]\](?=[ \t\n;&|()<>]|$)/y) !== null) break;
      if (this.match(/&&|\|\||[()]|[<>](?!\()|!(?=[ \t\n(])/y) !== null) continue;
      const word = this.word();
      if (word === null) throw new Unreadable(msg('command.syntaxError'));
      words.push(word);
      if (word.text === '=~') this.pattern();
    }
    this.checkConditions(words);
    const argv = [{ text: '[[', value: '[[', literal: true, mayHideOption: false }, ...words];
    this.reading.segments.push(segmentOf(argv));
  }

  /** Reads the regular expression after `=~`, whose brackets and bars are not shell syntax. */
  private pattern(): void {
    this.blanks();
    while (this.word() !== null || this.match(/[()|]/y) !== null);
  }

  private checkConditions(words: readonly BashWord[]): void {
    for (const [at, { text }] of words.entries()) {
      const next = words[at + 1];
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(text)) {
        for (const operand of [words[at - 1], next]) this.checkOperand(operand);
      }
      if (/^-[vR]$/.test(text) && (next === undefined || !identifier.test(next.text)))
        this.reading.fail(msg('command.subscript'));
    }
  }

  /** The operand is evaluated as arithmetic. */
  private checkOperand(word: BashWord | undefined): void {
    const text = word?.text.replaceAll('"', '') ?? '';
    const name = /^\$?([A-Za-z_]\w*)$|^\$\{([A-Za-z_]\w*)\}$/.exec(text);
    if (/^-?\d+$|^\$[#?$]$/.test(text) || word?.isNumber === true) return;
    if (name === null) this.reading.fail(msg('command.arithmetic'));
    else this.reading.evaluate(name[1] ?? name[2] ?? '');
  }
}
