import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { callTool, textOf, untilState } from '../../../testing/mcp/mcp-host.ts';
import { AuthorizationServer } from '../../../testing/mcp-oauth/authorization-server.ts';
import { addProtected, agreeAt, pageOf, signIn } from '../../../testing/mcp-oauth/person.ts';
import {
  type ProtectedServer,
  serveProtected,
} from '../../../testing/mcp-oauth/protected-server.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

let authority: AuthorizationServer;
let server: ProtectedServer;
const host = await useForFile(startTestHost());
beforeEach(async () => {
  authority = await AuthorizationServer.start();
  server = await serveProtected(authority);
});
afterEach(async () => {
  await server.close();
  await authority.close();
});

const authorize = (id: string) => host.ask(`/api/mcp/servers/${id}/authorize`, { method: 'POST' });

describe('signing in', () => {
  it('connects the server automatically after the sign-in', async () => {
    const { id, error } = await addProtected(host, server);
    expect(error).toMatch(/requires you to sign in\.$/);

    const page = await pageOf(host, id);
    expect(page.origin).toBe(authority.base);
    const asked = Object.fromEntries(page.searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: `${server.base}/mcp`,
      scope: 'tools:list',
    });
    expect(asked['redirect_uri']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(asked['redirect_uri']).not.toContain(`:${host.port}/`);
    expect(asked['state']?.length).toBeGreaterThanOrEqual(43);

    const answer = await fetch(await agreeAt(page));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await answer.text()).toContain('You can close this window');
    const view = await untilState(host, id, 'CONNECTED');
    expect(view.error).toBeUndefined();
    expect(view.tools.map(({ name }) => name)).toEqual(['echo']);
    expect(textOf(await callTool(host, id, 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('works for a server with the SSE transport', async () => {
    const { id } = await addProtected(host, server, 'SSE');
    expect((await signIn(host, id)).status).toBe(200);
    await untilState(host, id, 'CONNECTED');
    authority.expire();
    expect(textOf(await callTool(host, id, 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('works with an authorization server that issues client secrets', async () => {
    authority.behaviour.wantsSecret = true;
    const { id } = await addProtected(host, server);
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
    authority.expire();
    expect(textOf(await callTool(host, id, 'echo'))).toBe('{}');
  });

  it('closes its listener after the sign-in', async () => {
    const { id } = await addProtected(host, server);
    const back = await agreeAt(await pageOf(host, id));
    expect((await fetch(back)).status).toBe(200);
    await untilState(host, id, 'CONNECTED');
    await expect(fetch(back)).rejects.toThrow('fetch failed');
    expect(authority.tokenRequests).toHaveLength(1);
  });

  it('accepts only its own path with its own state', async () => {
    const { id } = await addProtected(host, server);
    const page = await pageOf(host, id);
    const back = await agreeAt(page);
    const wrong = new URL(back);
    wrong.searchParams.set('state', 'x'.repeat(43));
    expect((await fetch(wrong)).status).toBe(400);
    wrong.searchParams.delete('state');
    expect((await fetch(wrong)).status).toBe(400);
    expect((await fetch(new URL(`/${back.search}`, back))).status).toBe(404);
    expect((await fetch(back, { method: 'POST' })).status).toBe(405);
    const misnamed = new URL(back);
    misnamed.hostname = 'localhost';
    expect((await fetch(misnamed).catch(() => ({ status: 404 }))).status).toBe(404);
    expect(authority.tokenRequests).toHaveLength(0);
    // None of those requests ended the sign-in.
    expect((await fetch(back)).status).toBe(200);
    await untilState(host, id, 'CONNECTED');
  });

  it('is refused after a response in the name of another issuer', async () => {
    authority.behaviour.iss = 'https://elsewhere.example';
    const { id } = await addProtected(host, server);
    const { text } = await signIn(host, id);
    expect(text).toContain('You are not signed in');
    const { state, error } = await untilState(host, id, 'NEEDS_AUTH');
    expect([state, error]).toEqual(['NEEDS_AUTH', expect.stringContaining('another issuer')]);
    expect(authority.tokenRequests).toHaveLength(0);
  });

  it('does not start if metadata name another issuer, lack PKCE, or leave https', async () => {
    const { id } = await addProtected(host, server);
    const wrong: [Record<string, unknown>, string][] = [
      [{ issuer: 'https://elsewhere.example' }, 'another issuer'],
      [{ code_challenge_methods_supported: undefined }, 'PKCE'],
      [{ code_challenge_methods_supported: ['plain'] }, 'PKCE'],
      [{ authorization_endpoint: 'http://elsewhere.example/authorize' }, 'https'],
      [{ registration_endpoint: undefined }, 'it accepts only registered clients. Register'],
    ];
    for (const [metadata, reason] of wrong) {
      authority.behaviour.metadata = metadata;
      const { status, text } = await authorize(id);
      expect([status, text]).toEqual([502, expect.stringContaining(reason)]);
      expect(text).toContain('sign_in_failed');
    }
  });

  it('does not start with the metadata of another server', async () => {
    server.resource = 'https://elsewhere.example/mcp';
    const { id } = await addProtected(host, server);
    const { status, text } = await authorize(id);
    expect([status, text]).toEqual([502, expect.stringContaining('for another server')]);
    expect(authority.clients.size).toBe(0);
  });

  it('is reported as declined if the user declines', async () => {
    authority.behaviour.declines = true;
    const { id } = await addProtected(host, server);
    expect((await signIn(host, id)).text).toContain('declined');
    expect((await untilState(host, id, 'NEEDS_AUTH')).error).toContain('it was declined');
    authority.behaviour.declines = false;
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
  });

  it('happens once at a time: an earlier page is outdated', async () => {
    const { id } = await addProtected(host, server);
    const before = await agreeAt(await pageOf(host, id));
    const now = await agreeAt(await pageOf(host, id));
    await expect(fetch(before)).rejects.toThrow('fetch failed');
    expect((await fetch(now)).status).toBe(200);
    await untilState(host, id, 'CONNECTED');
  });

  it('ends when its server is removed', async () => {
    const { id } = await addProtected(host, server);
    const back = await agreeAt(await pageOf(host, id));
    await host.client.call(api.mcp.remove, { params: { id } });
    await expect(fetch(back)).rejects.toThrow('fetch failed');
  });

  it('requests more scopes if a call needs them', async () => {
    const { id } = await addProtected(host, server);
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
    server.callScope = 'tools:call';
    await expect(callTool(host, id, 'echo')).rejects.toMatchObject({
      problem: { code: 'mcp_needs_auth' },
    });
    const page = await pageOf(host, id);
    expect(page.searchParams.get('scope')).toBe('tools:list tools:call');
    await fetch(await agreeAt(page));
    await expect.poll(() => callTool(host, id, 'echo').then(textOf, String)).toBe('{}');
  });
});

describe('a sign-in', () => {
  it('is not needed for a server with an API key in its headers', async () => {
    const keyed = await serveProtected(authority, 'my-key');
    const view = await host.client.call(api.mcp.create, {
      body: {
        name: 'keyed',
        transport: 'STREAMABLE_HTTP',
        url: keyed.base,
        enabled: true,
        callTimeoutSeconds: 60,
        trustAnnotations: true,
        headers: { 'X-Api-Key': 'my-key' },
      },
    });
    await untilState(host, view.id, 'CONNECTED');
    expect(authority.asked).toEqual([]);
    const { status, text } = await authorize(view.id);
    expect([status, JSON.parse(text)]).toMatchObject([409, { code: 'no_sign_in_needed' }]);
    await keyed.close();
  });

  it('does not send the headers of a server to its authorization server', async () => {
    const { id } = await addProtected(host, server);
    await host.client.call(api.mcp.replace, {
      params: { id },
      body: {
        name: 'shown',
        transport: 'STREAMABLE_HTTP',
        url: server.base,
        enabled: true,
        callTimeoutSeconds: 60,
        trustAnnotations: true,
        headers: { 'X-Api-Key': 'wrong-key', Authorization: 'Bearer wrong-key' },
      },
    });
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
    expect(authority.headers.filter((one) => JSON.stringify(one).includes('wrong-key'))).toEqual(
      [],
    );
    expect(server.requests.at(-1)?.['x-api-key']).toBe('wrong-key');
    expect(server.requests.at(-1)?.authorization).toContain('access-canary');
  });

  it('is not needed for a program on this machine', async () => {
    const view = await host.client.call(api.mcp.create, {
      body: {
        name: 'local',
        transport: 'STDIO',
        command: 'no-such-program-at-all',
        enabled: true,
        callTimeoutSeconds: 60,
        trustAnnotations: true,
      },
    });
    const { status, text } = await authorize(view.id);
    expect([status, JSON.parse(text)]).toMatchObject([409, { code: 'no_sign_in_needed' }]);
  });

  it('is not possible at a server that names no authorization server', async () => {
    const closed = await serveProtected(null);
    const { id, error } = await addProtected(host, closed);
    expect(error).toContain('does not specify where to sign in');
    const { status, text } = await authorize(id);
    expect([status, JSON.parse(text)]).toMatchObject([409, { code: 'no_sign_in_offered' }]);
    await closed.close();
  });

  it('is not possible at an unknown server', async () => {
    expect((await authorize('nobody')).status).toBe(404);
  });
});
