import { buffer } from 'node:stream/consumers';
import type { Client } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveWeb, type WebServer } from '../web-server.ts';
import { forwardToHandler } from './forward-to-handler.ts';

const limitMs = 60_000;

/**
 * Serves a stdio server at a streamable HTTP address on loopback: returns its handshake, and
 * forwards every request and progress unchanged.
 */
export async function serveStdioServer(client: Client): Promise<WebServer> {
  const info = client.getServerVersion() ?? { name: '', version: '' };
  const capabilities = client.getServerCapabilities() ?? {};
  const handler = createMcpHandler(() => {
    const mcp = new McpServer(info, { capabilities });
    const { server } = mcp;
    // Without this, the SDK would answer these methods itself.
    for (const method of ['tools/list', 'tools/call']) server.removeRequestHandler(method);
    server.fallbackRequestHandler = async ({ method, params = {} }, { mcpReq }) => {
      const { _meta, ...rest } = params;
      const progressToken = mcpReq._meta?.progressToken;
      return client.request({ method, params: rest }, z.looseObject({}), {
        signal: mcpReq.signal,
        timeout: limitMs,
        onprogress: (progress) => {
          if (progressToken === undefined) return;
          const passed = { ...progress, progressToken };
          void mcpReq.notify({ method: 'notifications/progress', params: passed });
        },
      });
    };
    return mcp;
  });
  const web = await serveWeb((req, res) => {
    buffer(req)
      .then((body) => forwardToHandler(handler, { req, res, body }))
      .catch(() => res.destroy());
  });
  return {
    ...web,
    async close() {
      await handler.close();
      await web.close();
    },
  };
}
