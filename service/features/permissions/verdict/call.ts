import { Effect } from '../../../contract/index.ts';
import { normalHost } from '../rules/parse-rule.ts';
import type { Grammars } from '../shell/grammars.ts';
import { isRelativePath, type Platform, readCommandLine } from '../shell/read-command-line.ts';
import type { CommandLine } from '../shell/segment.ts';
import { type Readings, readingsOf } from './readings.ts';

export type Mode = 'ask-for-approval' | 'approve-for-me' | 'full-access';

/** A tool call to be judged. */
export interface ToolCall {
  tool: string;
  arguments: unknown;
  /** What the tool declares; what is not known counts as external. */
  effect?: string | null;
  /** The MCP server that the tool belongs to, where the catalog knows it. */
  server?: string;
  /** The workflow that the turn is bound to. */
  workflowId?: string;
}

/** What rules compare, worked out once for each call. */
export interface Facts {
  tool: string;
  effect: Effect;
  /** Null for a tool that is no MCP tool. */
  mcp: { server: string | null; rest: string } | null;
  url: URL | null;
  /** For `execute_command`; null for other tools. */
  command: { text: string; line: CommandLine; readings: (Readings | null)[] } | null;
  /** The program that it starts without a command line. */
  launches: string | null;
  wantsNetwork: boolean;
}

export const commandTool = 'execute_command';
const launchTool = 'computer_launch';

/** Tools that open the address of their `url`. */
export const opensAddresses: ReadonlySet<string> = new Set(['web_fetch', 'browser_navigate']);

const unreadable: CommandLine = {
  ...{ segments: [], tooMuch: false },
  opaque: 'the call has no command that can be read',
};

const noGrammar: CommandLine = {
  ...{ segments: [], tooMuch: true },
  opaque: 'the grammar of the shell could not be loaded',
};

export async function factsOf(
  call: ToolCall,
  platform: Platform,
  grammars: Grammars,
): Promise<Facts> {
  const values = (typeof call.arguments === 'object' ? call.arguments : null) as {
    command?: unknown;
    cwd?: unknown;
    url?: unknown;
    network?: unknown;
    app?: unknown;
  } | null;
  return {
    tool: call.tool,
    effect: Effect.safeParse(call.effect).data ?? 'external',
    mcp: mcpOf(call),
    url: typeof values?.url === 'string' ? URL.parse(values.url) : null,
    command: call.tool === commandTool ? await commandOf(values ?? {}, platform, grammars) : null,
    launches: call.tool === launchTool && typeof values?.app === 'string' ? values.app : null,
    wantsNetwork: values?.network !== undefined && values.network !== false,
  };
}

async function commandOf(
  { command, cwd }: { command?: unknown; cwd?: unknown },
  platform: Platform,
  grammars: Grammars,
): Promise<Facts['command']> {
  if (typeof command !== 'string') return { text: '', line: unreadable, readings: [] };
  const line = await readCommandLine(command, platform, grammars).catch(() => noGrammar);
  // A rule means the program in the workspace.
  if (cwd !== undefined && cwd !== '')
    for (const segment of line.segments)
      if (isRelativePath(segment.argv[0]?.value ?? ''))
        segment.unsafe ??= 'its program is looked for in another folder';
  return { text: command, line, readings: line.segments.map(readingsOf) };
}

/** Names of servers hold no `__`, yet a tool's name may: only the catalog can tell for sure. */
function mcpOf({ tool, server }: ToolCall): Facts['mcp'] {
  if (!tool.startsWith('mcp__')) return server === undefined ? null : { server, rest: tool };
  const rest = tool.slice('mcp__'.length);
  if (server !== undefined && rest.startsWith(`${server}__`))
    return { server, rest: rest.slice(server.length + 2) };
  return { server: server ?? null, rest };
}

/** Null for an address that is not http or https. */
export function hostOf(url: URL | null): string | null {
  return url !== null && /^https?:$/.test(url.protocol) ? normalHost(url) : null;
}
