import type { Redirection, Segment, Word } from './segment.ts';
import type { SyntaxNode } from './syntax-tree.ts';

const operators = /^(?:&>>|&>|>>|>\||>&-|<&-|>&|<&|<<<|<>|>|<)$/;

export function redirectionOf(node: SyntaxNode, target: Word | null, text: string): Redirection {
  if (node.type === 'herestring_redirect') {
    const input = target?.literal ? { input: target.value } : {};
    return { operator: '<<<', target, ...input };
  }
  const operator = node.children.find(({ type }) => operators.test(type));
  return { operator: operator ? text.slice(operator.start, operator.end) : '>', target };
}

/** A here-document and what the grammar hangs onto it: all that follows on its line. */
export interface Heredoc {
  redirection: Redirection;
  words: SyntaxNode[];
  redirects: SyntaxNode[];
  statements: SyntaxNode[];
  /** Its text, where that is expanded and the grammar overlooked a substitution in it. */
  overlooked: string | null;
}

export function readHeredoc(node: SyntaxNode, text: string): Heredoc {
  const slice = (child?: SyntaxNode): string => (child ? text.slice(child.start, child.end) : '');
  const find = (type: string): SyntaxNode | undefined =>
    node.children.find((child) => child.type === type);
  const body = find('heredoc_body');
  const quoted = /['"\\]/.test(slice(find('heredoc_start')));
  const content = slice(body);
  const plain = body !== undefined && (quoted || !/[$`\\]/.test(content));
  const overlooked = !quoted && countSubstitutions(content) > countNodes(body);
  const rest = node.children.filter(({ type }) => !type.startsWith('heredoc_'));
  const statements = rest.filter(({ type }) => !isRedirect(type) && !wordTypes.has(type));
  return {
    redirection: { operator: '<<', target: null, ...(plain ? { input: content } : {}) },
    words: rest.filter(({ type }) => wordTypes.has(type)),
    redirects: rest.filter(({ type }) => isRedirect(type)),
    statements: body === undefined || quoted ? statements : [...statements, body],
    overlooked: overlooked ? content : null,
  };
}

const isRedirect = (type: string): boolean => type.endsWith('_redirect');

const wordTypes = new Set([
  ...['word', 'number', 'string', 'raw_string', 'ansi_c_string', 'concatenation'],
  ...['simple_expansion', 'expansion', 'command_substitution', 'process_substitution'],
]);

/** Those at the outer level or deeper; escaped ones do not count. */
function countSubstitutions(text: string): number {
  const bare = text.replaceAll(/\\./gs, '').replaceAll('$((', '');
  const ticks = bare.split('`').length - 1;
  return bare.split('$(').length - 1 + Math.ceil(ticks / 2);
}

function countNodes(node?: SyntaxNode): number {
  if (node === undefined) return 0;
  const own = node.type === 'command_substitution' ? 1 : 0;
  return node.children.reduce((count, child) => count + countNodes(child), own);
}

/** The substitutions of a text, and maybe more: good enough for rules that forbid. */
export function substitutionsOf(text: string): string {
  const old = [...text.matchAll(/`((?:[^`\\]|\\[^])*)`/g)].map(([, inside]) => inside ?? '');
  const start = text.indexOf('$(');
  const end = text.lastIndexOf(')');
  if (start >= 0 && end > start) old.push(text.slice(start + 2, end));
  return old.join('\n');
}

/** `bash 0< f`: a number that touches the sign is no argument, although the grammar takes it for one. */
export function dropDescriptor(segment: Segment, text: string, redirectionAt: number): void {
  const [, number] = /(?:^|[\s;&|(){}<>])(\d+)$/.exec(text.slice(0, redirectionAt)) ?? [];
  if (number === undefined || segment.argv.length < 2 || segment.argv.at(-1)?.text !== number)
    return;
  segment.argv.pop();
  segment.text = segment.text.replace(/ \d+$/, '');
}
