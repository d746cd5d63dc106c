import type { McpServerDefinition } from './plugin-contents.ts';
import { visibleText } from './visible-text.ts';
import { type Message, msg } from '../../../messages/index.ts';

type Transport = McpServerDefinition['transport'];

/** Transports by the names that other programs use, in lower case. */
const transports = new Map<string, Transport>([
  ...['stdio', 'local', 'command'].map((type) => [type, 'STDIO'] as const),
  ...['sse', 'http+sse', 'http-sse'].map((type) => [type, 'SSE'] as const),
  ...[
    ...['http', 'https', 'remote', 'streamable', 'http-stream'],
    ...['streamable-http', 'streamablehttp', 'streamable_http'],
  ].map((type) => [type, 'STREAMABLE_HTTP'] as const),
]);
const maxVisible = 40;

/** The transport that the author named; otherwise the one that fits the other fields. */
export function transportOf(value: Record<string, unknown>): Transport | { problem: Message } {
  const written = visibleText(value.type ?? value.transport, maxVisible);
  if (written !== null) return transports.get(written.toLowerCase()) ?? unsupported(written);
  const address = addressIn(value);
  if (typeof address !== 'string' || value.command !== undefined) return 'STDIO';
  const scheme = /^wss?(?=:)/i.exec(address.trim())?.[0];
  return scheme === undefined ? 'STREAMABLE_HTTP' : unsupported(scheme);
}

/** The address of a server, under any of the keys in use. */
export const addressIn = ({ url, httpUrl, serverUrl }: Record<string, unknown>): unknown =>
  url ?? httpUrl ?? serverUrl;

const unsupported = (written: string): { problem: Message } => ({
  problem: msg('contributions.serverTransport', { transport: written }),
});
