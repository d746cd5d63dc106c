import { api, type McpServerView } from '../../contract/index.ts';
import { addUntil } from '../mcp/mcp-host.ts';
import type { TestHost } from '../test-host.ts';
import type { ProtectedServer } from './protected-server.ts';

/** Adds a server that requires signing in; its state is `NEEDS_AUTH`. */
export function addProtected(
  host: TestHost,
  server: ProtectedServer,
  transport: 'SSE' | 'STREAMABLE_HTTP' = 'STREAMABLE_HTTP',
): Promise<McpServerView> {
  const definition = { name: `guarded-${server.port}`, transport, url: server.base };
  const defaults = { enabled: true, callTimeoutSeconds: 60, trustAnnotations: true };
  return addUntil(host, { ...defaults, ...definition }, 'NEEDS_AUTH');
}

/** Returns the address that the person's browser opens. */
export async function pageOf(host: TestHost, id: string): Promise<URL> {
  const { authorizationUrl } = await host.client.call(api.mcp.authorize, { params: { id } });
  return new URL(authorizationUrl);
}

/** Agrees on that page; returns the address of the redirect. */
export async function agreeAt(page: URL): Promise<URL> {
  const answer = await fetch(page, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
}

/** Signs in as a person does; returns the final page. */
export async function signIn(
  host: TestHost,
  id: string,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(await agreeAt(await pageOf(host, id)));
  return { status: answer.status, text: await answer.text() };
}
