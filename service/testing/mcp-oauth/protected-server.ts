import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveWeb, type WebServer } from '../web-server.ts';
import { type AuthorizationServer, json } from './authorization-server.ts';

interface Request {
  id?: number | string;
  method: string;
  params?: { protocolVersion?: string; name?: string; arguments?: unknown };
}

/** An MCP server that requires authorization. */
export interface ProtectedServer extends WebServer {
  /** Headers of every request. */
  requests: IncomingMessage['headers'][];
  /** Additional scope that a tool call needs; null if none. */
  callScope: string | null;
  /** The authorization server that it names; null if it names none. */
  authority: AuthorizationServer | null;
  /** Resource in its metadata instead of its own address. */
  resource: string | null;
}

/**
 * Serves MCP at `/mcp` over streamable HTTP and at `/sse` over the older transport. Accepts tokens
 * of the authorization server and its own key. Without an authorization server its metadata names
 * none.
 */
export async function serveProtected(
  signsIn: AuthorizationServer | null,
  key?: string,
): Promise<ProtectedServer> {
  const requests: IncomingMessage['headers'][] = [];
  const streams = new Set<ServerResponse>();
  const web = await serveWeb((req, res) => void answer(req, res));
  const server: ProtectedServer = {
    ...web,
    requests,
    authority: signsIn,
    callScope: null,
    resource: null,
  };
  return server;

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? '/', web.base);
    const body = await text(req);
    const metadata = /^\/\.well-known\/oauth-protected-resource(\/(?:mcp|sse))$/.exec(pathname);
    const { authority } = server;
    if (authority && metadata)
      return json(res, 200, {
        resource: server.resource ?? `${web.base}${metadata[1]}`,
        authorization_servers: [authority.base],
      });
    if (pathname.startsWith('/.well-known/')) return json(res, 404, {});
    requests.push(req.headers);
    if (!isAllowed(req, pathname)) return refuse(res, 401, pathname, 'scope="tools:list"');
    if (pathname === '/sse') return stream(res);
    if (req.method !== 'POST') return json(res, 405, {});
    const request = JSON.parse(body) as Request;
    if (request.method === 'tools/call' && !hasScope(req))
      return refuse(res, 403, pathname, `error="insufficient_scope", scope="${server.callScope}"`);
    reply(res, pathname, request);
  }

  function isAllowed({ headers }: IncomingMessage, pathname: string): boolean {
    if (key !== undefined && headers['x-api-key'] === key) return true;
    const path = pathname === '/mcp' ? '/mcp' : '/sse';
    return server.authority?.grantOf(headers.authorization)?.resource === `${web.base}${path}`;
  }

  function hasScope({ headers }: IncomingMessage): boolean {
    const granted = server.authority?.grantOf(headers.authorization)?.scope.split(' ') ?? [];
    return server.callScope === null || granted.includes(server.callScope);
  }

  function refuse(res: ServerResponse, status: number, path: string, more: string): void {
    const where = `resource_metadata="${web.base}/.well-known/oauth-protected-resource${path}"`;
    if (server.authority) res.setHeader('WWW-Authenticate', `Bearer ${where}, ${more}`);
    json(res, status, { error: 'refused' });
  }

  function stream(res: ServerResponse): void {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    res.write('event: endpoint\ndata: /messages\n\n');
    streams.add(res.once('close', () => streams.delete(res)));
  }

  function reply(res: ServerResponse, pathname: string, request: Request): void {
    const { id } = request;
    if (id === undefined) return void res.writeHead(202).end();
    const message = { jsonrpc: '2.0', id, ...resultOf(request) };
    if (pathname === '/mcp') return json(res, 200, message);
    for (const one of streams) one.write(`data: ${JSON.stringify(message)}\n\n`);
    res.writeHead(202).end();
  }
}

function resultOf({ method, params = {} }: Request): object {
  if (method === 'initialize')
    return {
      result: {
        protocolVersion: params.protocolVersion ?? '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'protected', version: '1.0.0' },
      },
    };
  if (method === 'tools/list')
    return { result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } };
  if (method === 'tools/call')
    return { result: { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] } };
  if (method === 'ping') return { result: {} };
  return { error: { code: -32_601, message: `There is no ${method}.` } };
}
