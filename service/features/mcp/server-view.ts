import type { McpOAuth, McpServerView, McpTool } from '../../contract/index.ts';
import type { McpConnection } from './connection/mcp-connection.ts';
import { shownDescription } from './tools/tool-description.ts';
import { effectOf } from './tools/tool-effect.ts';
import { visible } from './tools/visible.ts';

const shownCharacters = 2_000;

/** A server for the outside: of its credentials only the names. */
export function viewOf(connection: McpConnection): McpServerView {
  const { server, state, error, tools, session, lastConnectedAt } = connection;
  const { env, headers, oauth, args, command, cwd, url, endpoint, pluginId, ...rest } = server;
  const { serverInfo, protocolVersion } = session ?? {};
  return {
    ...rest,
    ...known({ args, command, cwd, url, endpoint, pluginId, serverInfo, protocolVersion }),
    envKeys: Object.keys(env),
    headerNames: Object.keys(headers),
    ...(oauth === undefined ? {} : { oauth: shownOAuth(oauth) }),
    state,
    ...(error === null ? {} : { error }),
    tools: tools.map((tool) => ({
      name: tool.name,
      description: shownDescription(tool, shownCharacters),
      effect: effectOf(tool.annotations, server.trustAnnotations),
    })),
    ...(lastConnectedAt === null ? {} : { lastConnectedAt }),
  };
}

/** Its tools for whoever wants to try them. */
export function toolsOf({ server, tools }: McpConnection): McpTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    ...known({ title: tool.title === undefined ? undefined : visible(tool.title) }),
    description: shownDescription(tool, shownCharacters),
    effect: effectOf(tool.annotations, server.trustAnnotations),
    inputSchema: tool.inputSchema,
  }));
}

function shownOAuth({ clientSecret, ...oauth }: McpOAuth): McpServerView['oauth'] {
  return { ...oauth, hasClientSecret: clientSecret !== undefined };
}

type Known<T> = { [key in keyof T]?: Exclude<T[key], undefined> };

const known = <T extends object>(fields: T): Known<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Known<T>;
