import type { McpOAuth, McpServerView, McpTool } from '../../contract/index.ts';
import type { McpConnection } from './connection/mcp-connection.ts';
import { visibleDescription } from './tools/tool-description.ts';
import { effectOf } from './tools/tool-effect.ts';
import { visible } from './tools/visible.ts';
import { wireText } from '../../messages/index.ts';

const maxDescriptionCharacters = 2_000;

/** A server as clients see it: of its credentials, only the names. */
export function viewOf(connection: McpConnection): McpServerView {
  const { server, state, error, tools, session, lastConnectedAt } = connection;
  const { env, headers, oauth, args, command, cwd, url, endpoint, pluginId, ...rest } = server;
  const { serverInfo, protocolVersion } = session ?? {};
  return {
    ...rest,
    ...omitUndefined({ args, command, cwd, url, endpoint, pluginId, serverInfo, protocolVersion }),
    envKeys: Object.keys(env),
    headerNames: Object.keys(headers),
    ...(oauth === undefined ? {} : { oauth: oauthView(oauth) }),
    state,
    ...(error === null ? {} : wireText('error', error)),
    tools: tools.map((tool) => ({
      name: tool.name,
      description: visibleDescription(tool, maxDescriptionCharacters),
      effect: effectOf(tool.annotations, server.trustAnnotations),
    })),
    ...(lastConnectedAt === null ? {} : { lastConnectedAt }),
  };
}

/** The tools of a server for clients that want to try them. */
export function toolsOf({ server, tools }: McpConnection): McpTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    ...omitUndefined({ title: tool.title === undefined ? undefined : visible(tool.title) }),
    description: visibleDescription(tool, maxDescriptionCharacters),
    effect: effectOf(tool.annotations, server.trustAnnotations),
    inputSchema: tool.inputSchema,
  }));
}

function oauthView({ clientSecret, ...oauth }: McpOAuth): McpServerView['oauth'] {
  return { ...oauth, hasClientSecret: clientSecret !== undefined };
}

type Defined<T> = { [key in keyof T]?: Exclude<T[key], undefined> };

const omitUndefined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
