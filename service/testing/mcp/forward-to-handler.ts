import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { McpHttpHandler } from '@modelcontextprotocol/server';

/**
 * Passes a Node request with a parsed body to a handler of the SDK; its stream ends with the
 * client.
 */
export async function forwardToHandler(
  handler: McpHttpHandler,
  { req, res, body }: { req: IncomingMessage; res: ServerResponse; body: Buffer },
): Promise<void> {
  const disconnected = new AbortController();
  res.once('close', () => disconnected.abort());
  const reply = await handler.fetch(
    new Request(`http://${req.headers.host}${req.url}`, {
      method: req.method ?? 'POST',
      headers: req.headers as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
      signal: disconnected.signal,
    }),
  );
  res.writeHead(reply.status, Object.fromEntries(reply.headers));
  if (reply.body) await pipeline(Readable.fromWeb(reply.body as never), res);
  else res.end();
}
