import { api, type McpServerView } from '../../contract/index.ts';
import { addUntil } from '../mcp/mcp-host.ts';
import type { TestHost } from '../test-host.ts';
import type { ProtectedServer } from './protected-server.ts';

/** Adds a server that wants a sign-in; its state is `NEEDS_AUTH`. */
export function addProtected(
  host: TestHost,
  server: ProtectedServer,
  transport: 'SSE' | 'STREAMABLE_HTTP' = 'STREAMABLE_HTTP',
): Promise<McpServerView> {
  const definition = { name: `guarded-${server.port}`, transport, url: server.base };
  const defaults = { enabled: true, callTimeoutSeconds: 60, trustAnnotations: true };
  return addUntil(host, { ...defaults, ...definition }, 'NEEDS_AUTH');
}

/** The address that a person's browser is to open. */
export async function pageOf(host: TestHost, id: string): Promise<URL> {
  const { authorizationUrl } = await host.client.call(api.mcp.authorize, { params: { id } });
  return new URL(authorizationUrl);
}

/** Signs in there; where the browser is sent back to. */
export async function agreeAt(page: URL): Promise<URL> {
  const answer = await fetch(page, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
}

/** The whole way of a person; what they read at its end. */
export async function signIn(
  host: TestHost,
  id: string,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(await agreeAt(await pageOf(host, id)));
  return { status: answer.status, text: await answer.text() };
}
