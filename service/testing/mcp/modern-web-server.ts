import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveWeb, type WebServer } from '../web-server.ts';
import { forwardToHandler } from './forward-to-handler.ts';

/** A streamable HTTP server for tests. */
export interface ModernWebServer extends WebServer {
  /** Requested methods, in order. */
  asked: string[];
  /** Results of cancelled calls of `hang`. */
  ended: string[];
  /** Adds a tool. */
  grow(tool: string): void;
  /** Closes open change streams, as a proxy does after a timeout. */
  endStreams(): void;
}

const text = (content: string) => ({ content: [{ type: 'text' as const, text: content }] });
const name = z.object({ name: z.string() });

/**
 * Starts a loopback server that supports only the protocol revision 2026-07-28, over streamable
 * HTTP.
 */
export async function serveModern(): Promise<ModernWebServer> {
  const asked: string[] = [];
  const ended: string[] = [];
  const grown: string[] = [];
  const streams = new Set<ServerResponse>();
  const handler = createMcpHandler(() => toolsOf(grown, ended), { legacy: 'reject' });
  const web = await serveWeb((req, res) => {
    answer(req, res).catch(() => res.destroy());
  });
  return {
    ...web,
    asked,
    ended,
    grow(tool) {
      grown.push(tool);
      handler.notify.toolsChanged();
    },
    endStreams() {
      for (const stream of streams) stream.destroy();
    },
    async close() {
      await handler.close();
      await web.close();
    },
  };

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await buffer(req);
    const { method = '' } = JSON.parse(body.toString() || '{}') as { method?: string };
    asked.push(method);
    if (method === 'subscriptions/listen')
      streams.add(res.once('close', () => streams.delete(res)));
    await forwardToHandler(handler, { req, res, body });
  }
}

function toolsOf(grown: readonly string[], ended: string[]): McpServer {
  const server = new McpServer({ name: 'modern', version: '1' });
  const message = z.object({ message: z.string() });
  server.registerTool('echo', { description: 'Echoes.', inputSchema: message }, (input) =>
    text(`Echo: ${input.message}`),
  );
  server.registerTool('greet', { description: 'Asks who is there.' }, (context: ServerContext) => {
    const { inputResponses } = context.mcpReq;
    const who = acceptedContent(inputResponses, 'who', name);
    if (who) return text(`Hello ${who.name}.`);
    if (inputResponses?.['who']) return text('Hello nobody.');
    const question = inputRequired.elicit({ message: 'Who is there?', requestedSchema: name });
    return inputRequired({ inputRequests: { who: question } });
  });
  server.registerTool('hang', { description: 'Never ends.' }, async ({ mcpReq }: ServerContext) => {
    await once(mcpReq.signal, 'abort');
    ended.push('hang');
    return text('Too late.');
  });
  server.registerTool(
    'slow',
    { description: 'Tells how far it is.' },
    async (context: ServerContext) => {
      const { mcpReq } = context;
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress: 1, total: 2, message: 'half' },
        });
      return text('done');
    },
  );
  for (const tool of grown)
    server.registerTool(tool, { description: 'Is new.' }, () => text('new'));
  server.registerPrompt('welcome', { description: 'Welcomes.' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello.' } }],
  }));
  server.registerResource('note', 'note://one', {}, (uri) => ({
    contents: [{ uri: uri.href, text: 'A note.' }],
  }));
  return server;
}
