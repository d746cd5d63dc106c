import type { McpTransport } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { type Message, msg } from '../../../messages/index.ts';

const usualEndpoints = { SSE: '/sse', STREAMABLE_HTTP: '/mcp' } as const;

/**
 * The address of a server: a complete one, or that of its host with the path beside it. An address
 * without any path gets the usual one.
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
  // A path that is an address of its own would lead elsewhere.
  const whole = URL.parse(path.replace(/^\/+/, ''), `${url.origin}/`);
  if (!whole || whole.origin !== url.origin) throw invalid(msg('mcp.endpointNotPath'));
  whole.pathname = `${url.pathname.replace(/\/+$/, '')}${whole.pathname}`;
  whole.hash = '';
  return whole;
}

const invalid = (text: Message): HostError => new HostError('invalid', 'invalid_server', text);

/** What a sign-in belongs to: the transport, with the complete address. Null where there is none. */
export function addressKeyOf(server: {
  transport: McpTransport;
  url?: string | undefined;
  endpoint?: string | undefined;
}): string | null {
  const { transport } = server;
  return transport === 'STDIO' ? null : `${transport} ${addressOf({ ...server, transport }).href}`;
}
