import { Effect } from '../../../contract/index.ts';
import type { CommandArguments, ToolFacets } from '../tool-facets.ts';
import { normalHost } from '../rules/parse-rule.ts';
import type { Grammars } from '../shell/grammars.ts';
import { isRelativePath, type Platform, readCommandLine } from '../shell/read-command-line.ts';
import type { CommandLine } from '../shell/segment.ts';
import { type Readings, readingsOf } from './readings.ts';
import { msg } from '../../../messages/index.ts';

export type Mode = 'ask-for-approval' | 'approve-for-me' | 'full-access';

/** A tool call to be judged. */
export interface ToolCall {
  tool: string;
  arguments: unknown;
  /** The declared effect; an unknown effect counts as external. */
  effect?: string | null;
  /** The MCP server of the tool, if the catalog knows it. */
  server?: string;
  /** Undefined for an unknown tool. */
  facets?: ToolFacets;
}

/** Properties of a call that rules compare, computed once per call. */
export interface Facts {
  tool: string;
  effect: Effect;
  /** Null if it is not an MCP tool. */
  mcp: { server: string | null; rest: string } | null;
  /** True if the call opens an address. */
  opensAddress: boolean;
  /** Null if the address cannot be read. */
  url: URL | null;
  /** Null if it runs no command line. */
  command: { text: string; line: CommandLine; readings: (Readings | null)[] } | null;
  /** The program that it starts without a command line. */
  launches: string | null;
  wantsNetwork: boolean;
  guarded: boolean;
  asksAPerson: boolean;
}

const unreadable: CommandLine = {
  segments: [],
  plain: false,
  tooMuch: false,
  opaque: msg('command.missing'),
};

const noGrammar: CommandLine = {
  segments: [],
  plain: false,
  tooMuch: true,
  opaque: msg('command.noGrammar'),
};

export async function factsOf(
  call: ToolCall,
  platform: Platform,
  grammars: Grammars,
): Promise<Facts> {
  const { facets = {} } = call;
  const args = objectOf(call.arguments);
  const address = facets.address?.(args);
  const command = facets.command?.(args);
  return {
    tool: call.tool,
    effect: Effect.safeParse(call.effect).data ?? 'external',
    mcp: mcpOf(call),
    opensAddress: address !== undefined,
    url: address === undefined ? null : URL.parse(address),
    command: command === undefined ? null : await commandOf(command, platform, grammars),
    launches: facets.launches?.(args) ?? null,
    wantsNetwork: args['network'] !== undefined && args['network'] !== false,
    guarded: facets.guarded === true,
    asksAPerson: facets.asksAPerson === true,
  };
}

/** Models and clients may send anything. */
export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

async function commandOf(
  { command, cwd }: CommandArguments,
  platform: Platform,
  grammars: Grammars,
): Promise<Facts['command']> {
  if (typeof command !== 'string') return { text: '', line: unreadable, readings: [] };
  const line = await readCommandLine(command, platform, grammars).catch(() => noGrammar);
  // A rule means the program in the workspace, not one in another folder.
  if (cwd !== undefined && cwd !== '')
    for (const segment of line.segments)
      if (isRelativePath(segment.argv[0]?.value ?? ''))
        segment.unsafe ??= msg('command.otherFolder');
  return { text: command, line, readings: line.segments.map(readingsOf) };
}

/** Server names contain no `__`, but tool names may: only the catalog can tell for sure. */
function mcpOf({ tool, server }: ToolCall): Facts['mcp'] {
  if (!tool.startsWith('mcp__')) return server === undefined ? null : { server, rest: tool };
  const rest = tool.slice('mcp__'.length);
  if (server !== undefined && rest.startsWith(`${server}__`))
    return { server, rest: rest.slice(server.length + 2) };
  return { server: server ?? null, rest };
}

/** Returns null for an address that is not http or https. */
export function hostOf(url: URL | null): string | null {
  return url !== null && /^https?:$/.test(url.protocol) ? normalHost(url) : null;
}
