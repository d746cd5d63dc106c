import { assignedIn } from './assigned.ts';
import { bashWord, type Span } from './bash-word.ts';
import {
  dropDescriptor,
  readHeredoc,
  redirectionOf,
  substitutionsOf,
} from './bash-redirections.ts';
import { literalWord, openWord, type Segment, segmentOf, type Word } from './segment.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** Nodes whose children are statements, keywords and operators, with only blanks between them. */
const structural = new Set([
  ...['program', 'list', 'pipeline', 'subshell', 'compound_statement', 'do_group', 'if_statement'],
  ...['elif_clause', 'else_clause', 'while_statement', 'for_statement', 'c_style_for_statement'],
  ...['case_statement', 'case_item', 'negated_command', 'function_definition'],
  ...['command_substitution', 'process_substitution'],
]);

const substitutions = new Set(['command_substitution', 'process_substitution']);
const expansions = new Set([
  ...substitutions,
  ...['simple_expansion', 'expansion', 'arithmetic_expansion'],
]);
const redirects = new Set(['file_redirect', 'heredoc_redirect', 'herestring_redirect']);
const commands = new Set(['command', 'declaration_command', 'unset_command']);

/** As the first word of a command they show that the grammar lost its way. */
const reserved = new Set([
  ...['{', '}', 'if', 'then', 'else', 'elif', 'fi', 'for', 'while', 'until', 'do', 'done', 'case'],
  ...['esac', 'select', 'function', '[[', ']]', '!'],
]);
/** In front of a statement of any kind; the grammar takes them for programs. */
const prefixes = new Set(['time', 'coproc']);

/** Nothing in these is expanded. */
const quiet = new Set(['raw_string', 'comment', '$(', '$((', '<(', '>(']);

const blanks = /^(?:[ \t\r\n]|\\\r?\n)*$/;

/** What one pass over a tree of bash found. */
export interface BashReading {
  segments: Segment[];
  /** Payloads that the shell itself unescapes before it runs them: the old backtick substitutions. */
  payloads: string[];
  opaque: string | null;
  /** Spans of `time` and `coproc`: the text has to be parsed again without them. */
  prefixes: Span[];
  /** Indexes of escaped blanks that the parser skipped: it has to see other characters there. */
  escapedBlanks: number[];
}

/** Walks a parse tree of bash and collects every simple command of it. */
export class BashReader {
  readonly reading: BashReading = {
    ...{ segments: [], payloads: [], opaque: null },
    ...{ prefixes: [], escapedBlanks: [] },
  };
  private readonly text: string;
  private readonly parsed: string;

  /** @param parsed what the parser saw in place of the text: of the same length */
  constructor(text: string, parsed: string) {
    this.text = text;
    this.parsed = parsed;
  }

  /** The segment that a redirection behind the node belongs to. */
  walk(node: SyntaxNode): Segment | undefined {
    if (commands.has(node.type)) return this.command(node);
    if (redirects.has(node.type)) return this.bareRedirection([node]);
    switch (node.type) {
      case 'redirected_statement':
        return this.redirected(node);
      case 'test_command':
        return this.test(node);
      case 'variable_assignment':
      case 'variable_assignments':
        return this.assignment(node);
      case 'comment':
        return undefined;
    }
    if (!structural.has(node.type)) return this.inside(node);
    return this.statements(node);
  }

  /** @returns the last command of a list or pipeline, undefined for what has braces of its own */
  private statements(node: SyntaxNode): Segment | undefined {
    this.checkGaps(node);
    let last: Segment | undefined;
    for (const child of node.children) last = this.walk(child) ?? last;
    return node.type === 'list' || node.type === 'pipeline' ? last : undefined;
  }

  /** Looks for commands in words, expansions and whatever else holds them. */
  private inside(node: SyntaxNode): undefined {
    if (node.type === 'ERROR') this.fail('the shell cannot read it');
    if (node.type === 'expansion' && /@P\}$/.test(this.slice(node)))
      this.fail('it runs what a variable holds');
    if (substitutions.has(node.type)) return this.substitution(node);
    if (node.children.length === 0) return this.leaf(node);
    const statement = node.type === 'ERROR';
    for (const child of node.children) {
      if (statement || commands.has(child.type)) this.walk(child);
      else this.inside(child);
    }
  }

  private substitution(node: SyntaxNode): undefined {
    const text = this.slice(node);
    if (!text.startsWith('`')) return void this.statements(node);
    if (!text.includes('\\')) return void this.statements(node);
    this.reading.payloads.push(text.slice(1, -1).replaceAll(/\\([$`\\"])/g, '$1'));
  }

  /** What the grammar takes for plain text must not hold a substitution. */
  private leaf(node: SyntaxNode): undefined {
    if (quiet.has(node.type) || node.end - node.start < 2) return;
    const quoted = node.type === 'string_content' || node.type === 'heredoc_content';
    const sign = quoted ? /\$\(|`/ : /\$\(|`|[<>]\(/;
    const text = this.slice(node);
    if (sign.test(text) && sign.test(text.replaceAll(/\\./gs, '')))
      this.fail('it has a substitution that the parser does not see');
  }

  private command(node: SyntaxNode): Segment {
    if (this.text.startsWith('((', node.start)) return this.test(node);
    const segment = segmentOf([]);
    this.reading.segments.push(segment);
    this.checkGaps(node);
    const assigned: string[] = [];
    const words: SyntaxNode[] = [];
    for (const child of node.children) {
      if (redirects.has(child.type)) this.redirect(segment, child, words);
      else if (child.type === 'variable_assignment' && node.type === 'command')
        assigned.push(this.assign(segment, child));
      else words.push(child);
    }
    this.addWords(segment, words);
    segment.text = [...assigned, segment.text].filter(Boolean).join(' ');
    this.checkProgram(segment, words);
    return segment;
  }

  private redirected(node: SyntaxNode): Segment | undefined {
    this.checkGaps(node);
    const behind = node.children.filter(({ type }) => redirects.has(type));
    let body: Segment | undefined;
    for (const child of node.children)
      if (!redirects.has(child.type)) body = this.walk(child) ?? body;
    if (body === undefined) return this.bareRedirection(behind);
    const words: SyntaxNode[] = [];
    dropDescriptor(body, this.text, behind[0]?.start ?? 0);
    for (const child of behind) this.redirect(body, child, words);
    this.addWords(body, words);
    return body;
  }

  private bareRedirection(nodes: SyntaxNode[]): Segment {
    const segment = segmentOf([]);
    const words: SyntaxNode[] = [];
    for (const node of nodes) this.redirect(segment, node, words);
    segment.text = nodes.map((node) => this.slice(node)).join(' ');
    if (words.length > 0) this.fail('it has words where the shell expects none');
    this.reading.segments.push(segment);
    return segment;
  }

  /** The grammar hangs words that follow a redirection onto it: they are arguments. */
  private redirect(segment: Segment, node: SyntaxNode, words: SyntaxNode[]): void {
    if (node.type === 'heredoc_redirect') {
      const heredoc = readHeredoc(node, this.text);
      segment.redirections.push(heredoc.redirection);
      if (heredoc.overlooked !== null) {
        this.fail('it has a substitution that the parser does not see');
        this.reading.payloads.push(substitutionsOf(heredoc.overlooked));
      }
      words.push(...heredoc.words);
      for (const child of heredoc.redirects) this.redirect(segment, child, words);
      for (const child of heredoc.statements) this.walk(child);
      return;
    }
    // `head -200>file`: what stands before the sign is a number for the grammar, a word for the shell.
    const [first] = node.children;
    if (first?.type === 'file_descriptor' && !/^\d+$/.test(this.slice(first))) words.push(first);
    const groups = this.groups(node.children.filter((child) => isWordPart(child)));
    const targets = groups.map((group) => this.word(group));
    segment.redirections.push(redirectionOf(node, targets[0] ?? null, this.text));
    words.push(...groups.slice(1).flat());
  }

  private addWords(segment: Segment, nodes: SyntaxNode[]): void {
    const added = this.groups(nodes).map((group) => this.word(group));
    segment.argv.push(...added);
    segment.text = [segment.text, ...added.map((word) => word.text)].filter(Boolean).join(' ');
  }

  private checkProgram(segment: Segment, nodes: SyntaxNode[]): void {
    const [first, second, third] = segment.argv;
    if (first === undefined) return;
    if (reserved.has(first.text))
      return this.fail('the parser and the shell may read it differently');
    if (!prefixes.has(first.text) || second === undefined) return;
    const named = first.text === 'coproc' && third !== undefined && startsStatement(third.text);
    const options = first.text === 'time' && ['-p', '--'].includes(second.text);
    const skipped = this.groups(nodes)
      .slice(0, named || options ? 2 : 1)
      .flat();
    const [from, to] = [skipped[0], skipped.at(-1)];
    if (from && to) this.reading.prefixes.push({ start: from.start, end: to.end });
  }

  private assign(segment: Segment, node: SyntaxNode): string {
    this.inside(node);
    const text = this.slice(node);
    segment.assignments.push(/^[^=+[]*/.exec(text)?.[0] ?? text);
    const { payload, opaque } = assignedIn(text);
    if (payload !== undefined) this.reading.payloads.push(payload);
    if (opaque !== undefined) this.fail(opaque);
    return text;
  }

  private assignment(node: SyntaxNode): Segment {
    const segment = segmentOf([]);
    this.reading.segments.push(segment);
    const parts = node.type === 'variable_assignment' ? [node] : node.children;
    segment.text = parts.map((part) => this.assign(segment, part)).join(' ');
    return segment;
  }

  /** `[ … ]`, `[[ … ]]` and `(( … ))`: the grammar has parsed the inside, the words matter little. */
  private test(node: SyntaxNode): Segment {
    const text = this.slice(node);
    const program = /^(?:\[\[|\(\(|\[)/.exec(text)?.[0] ?? text;
    const rest = openWord(text.slice(program.length).trim());
    const segment = segmentOf([literalWord(program), rest], { text });
    this.reading.segments.push(segment);
    for (const child of node.children) this.inside(child);
    return segment;
  }

  /** Parts without a blank between them are one word; a line continuation is no blank. */
  private groups(nodes: readonly SyntaxNode[]): SyntaxNode[][] {
    const groups: SyntaxNode[][] = [];
    for (const node of nodes) {
      const group = groups.at(-1);
      const before = group?.at(-1);
      const gap = before && this.text.slice(before.end, node.start).replaceAll('\\\n', '');
      if (group && gap === '') group.push(node);
      else groups.push([node]);
    }
    return groups;
  }

  private word(nodes: SyntaxNode[]): Word {
    const start = nodes[0]?.start ?? 0;
    const text = this.text.slice(start, nodes.at(-1)?.end ?? start);
    const spans: Span[] = [];
    for (const node of nodes) {
      this.inside(node);
      collectSpans(node, start, spans);
    }
    const word = bashWord(text, spans);
    if (word !== null) return word;
    this.fail('the parser and the shell may read it differently');
    return openWord(text);
  }

  private checkGaps(node: SyntaxNode): void {
    let at = node.start;
    for (const child of node.children) {
      if (child.start > at) this.checkGap(at, child.start);
      at = Math.max(at, child.end);
    }
  }

  private checkGap(start: number, end: number): void {
    const gap = this.parsed.slice(start, end);
    if (blanks.test(gap)) return;
    for (const { index } of gap.matchAll(/\\(?=[ \t])/g))
      this.reading.escapedBlanks.push(start + index + 1);
    this.fail('the parser skipped a part of it');
  }

  private slice(node: SyntaxNode): string {
    return this.text.slice(node.start, node.end);
  }

  private fail(why: string): void {
    this.reading.opaque ??= why;
  }
}

function isWordPart({ type }: SyntaxNode): boolean {
  return type !== 'file_descriptor' && !/^[<>&|-]+$/.test(type);
}

function startsStatement(text: string): boolean {
  return text === '(' || reserved.has(text);
}

function collectSpans(node: SyntaxNode, from: number, spans: Span[]): void {
  if (expansions.has(node.type)) spans.push({ start: node.start - from, end: node.end - from });
  else for (const child of node.children) collectSpans(child, from, spans);
}
