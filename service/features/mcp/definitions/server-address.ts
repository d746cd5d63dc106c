import type { McpTransport } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { type Message, msg } from '../../../messages/index.ts';

const usualEndpoints = { SSE: '/sse', STREAMABLE_HTTP: '/mcp' } as const;

/**
 * The address of a server: a complete one, or an origin with a separate path. Without any path, the
 * default one is added.
 * @throws HostError 400 `invalid_server`
 */
export function addressOf(server: {
  transport: 'SSE' | 'STREAMABLE_HTTP';
  url?: string | undefined;
  endpoint?: string | undefined;
}): URL {
  const { transport, url: text = '', endpoint = '' } = server;
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid(msg('mcp.invalidAddress'));
  if (url.username !== '' || url.password !== '') throw invalid(msg('mcp.addressWithUser'));
  url.hash = '';
  const path = endpoint.trim();
  if (path !== '') return joined(url, path);
  if (url.pathname === '/' && url.search === '') url.pathname = usualEndpoints[transport];
  return url;
}

function joined(url: URL, path: string): URL {
  // A path that is itself a complete address would lead to another server.
  const whole = URL.parse(path.replace(/^\/+/, ''), `${url.origin}/`);
  if (!whole || whole.origin !== url.origin) throw invalid(msg('mcp.endpointNotPath'));
  whole.pathname = `${url.pathname.replace(/\/+$/, '')}${whole.pathname}`;
  whole.hash = '';
  return whole;
}

const invalid = (text: Message): HostError => new HostError('invalid', 'invalid_server', text);

/** Key of a sign-in: transport and complete address. Null for programs. */
export function addressKeyOf(server: {
  transport: McpTransport;
  url?: string | undefined;
  endpoint?: string | undefined;
}): string | null {
  const { transport } = server;
  return transport === 'STDIO' ? null : `${transport} ${addressOf({ ...server, transport }).href}`;
}
