import { assigned } from '../assigned.ts';
import { type Redirection, type Segment, segmentOf } from '../segment.ts';
import { Unreadable } from './bash-reading.ts';
import { type BashWord, WordReader } from './bash-words.ts';
import { msg } from '../../../../messages/index.ts';

/** A here-document whose text starts after the current line. */
interface PendingHeredoc {
  delimiter: string;
  isQuoted: boolean;
  stripsTabs: boolean;
  redirection: Redirection;
}

export const reservedWords: ReadonlySet<string> = new Set(
  'if then elif else fi for while until do done case esac select function time coproc { } ! [['.split(
    ' ',
  ),
);
const reservedWord =
  /(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|time|coproc|in|\{|\}|!|\[\[)(?=[ \t\n;&|()<>]|$)/y;
const redirectOperator = /\d*(?:<<<|<<-?|<>|<&|>>|>&|>\||<(?!\()|>(?!\())|&>>?/y;
const variableRedirect = /^\{.*\}$/s;
/** Delimiters that every version of bash parses alike. */
const heredocDelimiter = /'([^'\n\\]+)'|"([\w .:@%+,-]+)"|\\([\w.-]+)|([\w.-]+)/y;
/** Commands that accept `name=(…)` as an argument. */
const declarations = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);

/** Reads simple commands with their redirections, here-documents and comments. */
export abstract class SimpleCommandReader extends WordReader {
  protected heredocs: PendingHeredoc[] = [];

  /** Reads the body of `name ()`. */
  protected abstract functionBody(isNamed: boolean): void;

  /** Reads the text of a here-document with expansions. */
  protected abstract nestedHeredoc(text: string): void;

  protected blanks(): void {
    this.match(/(?:[ \t]|\\\n)+/y);
    // A `#` in the middle of a word starts no comment, because no space precedes it.
    if (this.isAt('#')) this.match(/[^\n]*/y);
  }

  protected blankLines(): void {
    this.blanks();
    while (this.isAt('\n')) {
      this.at += 1;
      this.heredocTexts();
      this.blanks();
    }
  }

  private heredocTexts(): void {
    const pending = this.heredocs;
    this.heredocs = [];
    for (const heredoc of pending) this.heredocText(heredoc);
  }

  private heredocText({ delimiter, isQuoted, stripsTabs, redirection }: PendingHeredoc): void {
    const lines: string[] = [];
    for (;;) {
      if (this.at >= this.text.length) throw new Unreadable(msg('command.hereDocumentOpen'));
      const end = this.text.indexOf('\n', this.at);
      const line = this.text.slice(this.at, end < 0 ? undefined : end);
      this.at = end < 0 ? this.text.length : end + 1;
      const compared = stripsTabs ? line.replace(/^\t+/, '') : line;
      if (compared === delimiter) break;
      if (!isQuoted && line.endsWith('\\')) throw new Unreadable(msg('command.hereDocumentJoined'));
      lines.push(compared);
    }
    this.reading.plain = false;
    const text = lines.map((line) => `${line}\n`).join('');
    if (isQuoted || !/[$`\\]/.test(text)) redirection.input = text;
    else this.nestedHeredoc(text);
  }

  protected peekReserved(): string | null {
    reservedWord.lastIndex = this.at;
    return reservedWord.exec(this.text)?.[0] ?? null;
  }

  protected simple(isPiped: boolean): void {
    const segment: Segment = segmentOf([]);
    if (isPiped) segment.piped = true;
    const written: string[] = [];
    const { segments } = this.reading;
    const index = segments.length;
    for (;;) {
      this.blanks();
      if (this.redirect(segment.redirections)) continue;
      const start = this.at;
      const word = this.word();
      if (word === null) break;
      this.checkEnd(word);
      if (segment.argv.length === 0 && this.isFunction(word)) return this.functionBody(false);
      const text = this.takeWord(segment, word, start);
      written.push(text);
    }
    if (written.length === 0 && segment.redirections.length === 0)
      throw new Unreadable(msg('command.syntaxError'));
    segment.text = written.join(' ');
    this.checkProgram(segment);
    // Inserted before the commands of its substitutions, in the order of the text.
    segments.splice(index, 0, segment);
  }

  /** Refuses text that different versions of the shell parse differently. */
  private checkEnd(word: BashWord): void {
    const isRedirection =
      (this.isAt('<') && !this.isAt('<(')) || (this.isAt('>') && !this.isAt('>('));
    if (isRedirection && variableRedirect.test(word.text))
      throw new Unreadable(msg('command.storesDescriptor'));
    if (isRedirection && word.continued) throw new Unreadable(msg('command.wordBroken'));
    if (this.heredocs.length > 0 && word.text.includes('\n'))
      throw new Unreadable(msg('command.hereDocumentInText'));
  }

  private isFunction(word: BashWord): boolean {
    if (this.match(/[ \t]*\([ \t]*\)/y) === null) return false;
    if (!word.bare) throw new Unreadable(msg('command.syntaxError'));
    this.checkFunctionName(word.value);
    return true;
  }

  /** @returns the word as written, including an array list */
  private takeWord(segment: Segment, word: BashWord, start: number): string {
    const [program] = segment.argv;
    if (program === undefined) return this.firstWord(segment, word, start);
    if (declarations.has(program.value)) this.arrayList(word);
    const text = this.text.slice(start, this.at);
    segment.argv.push({ ...word, text });
    return text;
  }

  /** Takes the program, or an assignment before it. */
  private firstWord(segment: Segment, word: BashWord, start: number): string {
    if (word.continued) throw new Unreadable(msg('command.programBroken'));
    const [, name, subscript] = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=/.exec(word.text) ?? [];
    if (/^[A-Za-z_]\w*\[/.test(word.text)) this.checkSubscript(subscript);
    if (name !== undefined && subscript !== undefined) this.reading.makeList(name);
    this.arrayList(word);
    const text = this.text.slice(start, this.at);
    if (name === undefined) segment.argv.push({ ...word, text });
    else this.assignment(segment, name, word);
    return text;
  }

  private checkSubscript(subscript: string | undefined): void {
    if (subscript === undefined || !/^\[\d+\]$/.test(subscript))
      this.reading.fail(msg('command.subscript'));
    this.reading.plain = false;
  }

  /** Reads the words of `name=(…)`. */
  private arrayList({ text }: BashWord): void {
    if (!this.isAt('(') || !/^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=$/.test(text)) return;
    this.reading.plain = false;
    this.reading.makeList(text.replace(/[[+=].*$/s, ''));
    this.at += 1;
    for (;;) {
      this.blankLines();
      if (this.match(/\)/y) !== null) return;
      const word = this.word();
      if (word === null) throw new Unreadable(msg('command.syntaxError'));
      if (word.text.startsWith('[')) this.reading.fail(msg('command.subscript'));
    }
  }

  private assignment(segment: Segment, name: string, word: BashWord): void {
    segment.assignments.push(name);
    const isNumber =
      /^\w+\+?=-?\d+$/.test(word.text) || /^\w+=\$\(\([\w\s+\-*/%]*\)\)$/.test(word.text);
    this.reading.assign(name, isNumber);
    const value = word.literal ? word.value.slice(word.value.indexOf('=') + 1) : null;
    const { payload, opaque } = assigned(name, value);
    if (payload !== undefined) this.reading.payloads.push(payload);
    if (opaque !== undefined) this.reading.fail(opaque);
  }

  private checkProgram({ argv }: Segment): void {
    const [program] = argv as BashWord[];
    if (program === undefined) return;
    if (program.literal && reservedWords.has(program.value) && program.text === program.value)
      throw new Unreadable(msg('command.syntaxError'));
  }

  /** Returns false if no redirection starts here. */
  protected redirect(redirections: Redirection[]): boolean {
    const found = this.match(redirectOperator);
    if (found === null) return false;
    const descriptor = /^\d*/.exec(found)?.[0] ?? '';
    const operator = found.slice(descriptor.length);
    this.blanks();
    if (operator.startsWith('<<') && operator !== '<<<')
      return this.heredoc(operator, descriptor, redirections);
    const target = this.word();
    if (target === null) throw new Unreadable(msg('command.redirectionWithoutTarget'));
    if (/^[<>]&$/.test(operator)) this.checkDescriptor(target);
    const redirection: Redirection = { operator, target, descriptor };
    if (operator === '<<<' && target.literal) redirection.input = target.value;
    if (!isPlainRedirection(redirection)) this.reading.plain = false;
    redirections.push(redirection);
    return true;
  }

  private checkDescriptor({ text }: BashWord): void {
    // Only the dash is the target; the rest would be a separate word.
    if (/^-./.test(text)) throw new Unreadable(msg('command.wordInRedirection'));
    // The shell expands the target once more to check whether it is a number.
    if (!/^[\w./-]+$/.test(text)) this.reading.fail(msg('command.redirectionEvaluated'));
  }

  private heredoc(operator: string, descriptor: string, redirections: Redirection[]): true {
    heredocDelimiter.lastIndex = this.at;
    const found = heredocDelimiter.exec(this.text);
    this.at += found?.[0].length ?? 0;
    if (found === null || !/^(?:[ \t\n;&|)<>]|$)/.test(this.text.charAt(this.at)))
      throw new Unreadable(msg('command.hereDocumentName'));
    const [, single, double, escaped, plain] = found;
    const redirection: Redirection = { operator: '<<', target: null, descriptor };
    redirections.push(redirection);
    this.heredocs.push({
      delimiter: single ?? double ?? escaped ?? plain ?? '',
      isQuoted: plain === undefined,
      stripsTabs: operator === '<<-',
      redirection,
    });
    this.reading.plain = false;
    return true;
  }

  protected checkFunctionName(name: string): void {
    if (!/^[A-Za-z_][\w-]*$/.test(name)) throw new Unreadable(msg('command.syntaxError'));
    if (/^(?:command_not_found_handle|exec|eval|builtin|command|trap|set|unset)$/.test(name))
      this.reading.fail(msg('command.redefinesCommand'));
  }
}

/** Returns true for redirections to and from `/dev/null`, and between descriptors. */
function isPlainRedirection({ operator, target }: Redirection): boolean {
  if (target === null || !target.literal) return false;
  if (target.value === '/dev/null') return operator !== '<<<';
  return /^[<>]&$/.test(operator) && /^(?:\d+-?|-)$/.test(target.value);
}
