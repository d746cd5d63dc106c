import type { McpServerDefinition, WrittenOAuth } from '../../contributions/index.ts';
import { type Message, msg, type Parameter } from '../../../messages/index.ts';

const maxNamed = 10;
const maxNameCharacters = 60;

/**
 * Replaces `${NAME:-default}` in a server by the defaults. Other programs insert values of their
 * environment there; the host never does, so each such place is reported, and one without a default
 * stays unchanged.
 */
export function withDefaults(
  server: McpServerDefinition,
  warn: (reason: Message) => void,
): McpServerDefinition {
  const unresolved = new Set<string>();
  const replaced = new Set<string>();
  const { command, args, env, cwd, url, headers, oauth } = server;
  const fill = (text: string): string =>
    text.replaceAll(/\$\{([^{}]*?)(?::-([^{}]*))?\}/g, (whole, name: string, value?: string) => {
      (value === undefined ? unresolved : replaced).add(`\${${name.slice(0, maxNameCharacters)}}`);
      return value ?? whole;
    });
  const fillAll = (map: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(map).map(([key, text]) => [key, fill(text)]));
  const filled: McpServerDefinition = {
    ...server,
    ...(command === undefined ? {} : { command: fill(command) }),
    ...(args === undefined ? {} : { args: args.map(fill) }),
    ...(env === undefined ? {} : { env: fillAll(env) }),
    ...(cwd === undefined ? {} : { cwd: fill(cwd) }),
    ...(url === undefined ? {} : { url: fill(url) }),
    ...(headers === undefined ? {} : { headers: fillAll(headers) }),
    ...(oauth === undefined ? {} : { oauth: filledOAuth(oauth, fill) }),
  };
  if (replaced.size > 0) warn(msg('mcp.importDefaultTaken', { variables: listed(replaced) }));
  if (unresolved.size > 0) warn(msg('mcp.importNotReplaced', { variables: listed(unresolved) }));
  return filled;
}

function filledOAuth(
  { scopes, ...texts }: WrittenOAuth,
  fill: (text: string) => string,
): WrittenOAuth {
  const filled = Object.entries(texts).map(([key, text]) => [key, fill(text)] as const);
  const own: WrittenOAuth = Object.fromEntries(filled);
  return scopes ? { ...own, scopes: scopes.map(fill) } : own;
}

function listed(names: ReadonlySet<string>): Parameter {
  const variables = [...names].slice(0, maxNamed);
  const count = names.size - maxNamed;
  return count > 0 ? msg('mcp.importMoreVariables', { variables, count }) : variables;
}
