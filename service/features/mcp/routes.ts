import { api } from '../../contract/index.ts';
import { logStream } from '../../http/log-stream.ts';
import { type Route, route } from '../../http/route.ts';
import type { McpConnection } from './connection/mcp-connection.ts';
import type { McpSession } from './connection/mcp-session.ts';
import { importServers } from './import/import-servers.ts';
import type { McpServers } from './mcp-servers.ts';
import { toolsOf } from './server-view.ts';
import type { SignIns } from './oauth/sign-ins.ts';
import { callConnectMs } from './tools/mcp-tool-source.ts';

export function mcpRoutes(servers: McpServers, signIns: SignIns): Route[] {
  const { mcp } = api;
  return [
    route(mcp.status, () => statusOf(servers)),
    route(mcp.list, () => servers.views()),
    route(mcp.create, ({ body }) => servers.add(body)),
    route(mcp.replace, ({ params, body }) => servers.replace(params.id, body)),
    route(mcp.remove, async ({ params }) => {
      await servers.remove(params.id);
      return undefined;
    }),
    route(mcp.test, ({ params }) => servers.test(params.id)),
    route(mcp.authorize, ({ params }) => {
      const { server, state } = servers.get(params.id);
      return signIns.authorize(server, state === 'CONNECTED');
    }),
    route(mcp.tools, ({ params }) => toolsOf(servers.get(params.id))),
    route(mcp.call, ({ params, body, signal }) =>
      withSession(servers.get(params.id), async (session, server) => {
        const timeoutMs = server.callTimeoutSeconds * 1_000;
        const result = await session.call(body.tool, body.arguments, { signal, timeoutMs });
        const { content, structuredContent, isError } = result;
        return {
          content,
          ...(structuredContent === undefined ? {} : { structuredContent }),
          ...(isError === undefined ? {} : { isError }),
        };
      }),
    ),
    route(mcp.prompts, ({ params, signal }) =>
      withSession(servers.get(params.id), (session) => session.lists.listPrompts(signal)),
    ),
    route(mcp.getPrompt, ({ params, body, signal }) =>
      withSession(servers.get(params.id), async ({ client }) => {
        const { description, messages } = await client.getPrompt(body, { signal });
        return { ...(description === undefined ? {} : { description }), messages };
      }),
    ),
    route(mcp.resources, ({ params, signal }) =>
      withSession(servers.get(params.id), (session) => session.lists.listResources(signal)),
    ),
    route(mcp.readResource, ({ params, body, signal }) =>
      withSession(servers.get(params.id), async ({ client }) => {
        const { contents } = await client.readResource(body, { signal });
        return { contents };
      }),
    ),
    route(mcp.logs, ({ params }) => servers.get(params.id).log.recent()),
    route(mcp.logStream, ({ params }) => logStream(servers.get(params.id).log)),
    route(mcp.import, ({ body, query }) => importServers(servers, body, query.dryRun === 'true')),
  ];
}

async function withSession<T>(
  connection: McpConnection,
  work: (session: McpSession, server: McpConnection['server']) => Promise<T>,
): Promise<T> {
  const session = await connection.ready(callConnectMs);
  try {
    return await session.using(() => work(session, connection.server));
  } catch (error) {
    throw connection.toHostError(error, session.endReason);
  }
}

function statusOf(servers: McpServers) {
  const connections = servers.all().map(({ server, state, tools }) => ({
    id: server.id,
    name: server.name,
    state,
    tools: tools.length,
  }));
  return {
    servers: connections.length,
    connected: connections.filter(({ state }) => state === 'CONNECTED').length,
    tools: connections.reduce((sum, { tools }) => sum + tools, 0),
    connections,
  };
}
