import { Effect } from '../../../contract/index.ts';
import { commandPattern } from './command-pattern.ts';
import type { Rule } from './rule.ts';
import { type Message, msg, textOf } from '../../../messages/index.ts';

/** Thrown for a line of the settings that is not a rule. */
export class InvalidRule extends Error {
  readonly reason: Message;

  constructor(reason: Message) {
    super(textOf(reason));
    this.reason = reason;
  }
}

/**
 * Parses one line of the settings; null for a comment or an empty line.
 * @throws InvalidRule
 */
export function parseRule(line: string): Rule | null {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return null;
  if (text === 'Bash') return { text, kind: 'command', pattern: commandPattern('*') };
  const server = /^mcp__(.+)$/.exec(text)?.[1];
  if (server !== undefined) return { text, ...mcpRule(server) };
  const [, kind = '', between = ''] = /^(\w+)\((.*)\)$/s.exec(text) ?? [];
  const parse = kinds.get(kind);
  if (kind === '') throw new InvalidRule(msg('rules.notARule'));
  if (parse === undefined) throw new InvalidRule(msg('rules.unknownKind', { kind }));
  const inside = between.trim();
  if (inside === '') throw new InvalidRule(msg('rules.nothingInBrackets'));
  return { text, ...parse(inside) };
}

type Parsed = Rule extends infer R ? (R extends Rule ? Omit<R, 'text'> : never) : never;

const command = (inside: string): Parsed => ({ kind: 'command', pattern: commandPattern(inside) });

const kinds = new Map<string, (inside: string) => Parsed>([
  ['Command', command],
  ['Bash', command],
  ['Tool', (inside) => ({ kind: 'tool', glob: inside })],
  ['Effect', (inside) => ({ kind: 'effect', effect: effectOf(inside) })],
  ['Mcp', (inside) => mcpRule(inside.replace(/^mcp__/, ''))],
  ['WebFetch', webRule],
]);

function effectOf(text: string): Effect {
  const parsed = Effect.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidRule(msg('rules.unknownEffect', { effect: text, effects: Effect.options }));
}

function mcpRule(text: string): { kind: 'mcp'; server: string; tool: string } {
  const at = text.indexOf('__');
  const server = at < 0 ? text : text.slice(0, at);
  const tool = at < 0 ? '*' : text.slice(at + 2);
  if (server === '' || server.includes('*')) throw new InvalidRule(msg('rules.serverPattern'));
  return { kind: 'mcp', server, tool: tool === '' ? '*' : tool };
}

function webRule(text: string): { kind: 'webFetch'; host: string; onlyBelow: boolean } {
  const domain = /^domain:\s*(\S+)$/.exec(text)?.[1];
  if (domain === undefined) throw new InvalidRule(msg('rules.webFetchSyntax'));
  if (domain === '*') return { kind: 'webFetch', host: '*', onlyBelow: false };
  const onlyBelow = domain.startsWith('*.');
  const host = hostOf(onlyBelow ? domain.slice(2) : domain);
  if (host === null) throw new InvalidRule(msg('rules.badHost', { host: domain }));
  return { kind: 'webFetch', host, onlyBelow };
}

function hostOf(domain: string): string | null {
  if (/[/?#@\\*]/.test(domain)) return null;
  const url = URL.parse(`http://${domain}`);
  return url === null || url.port !== '' ? null : normalHost(url);
}

/** Returns the host in the form that rules compare: lower case, ASCII, no trailing dot. */
export function normalHost(url: URL): string {
  return url.hostname.replace(/\.+$/, '');
}
