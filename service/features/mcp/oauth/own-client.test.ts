import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api, type McpOAuthReplacement, type McpServerView } from '../../../contract/index.ts';
import {
  addUntil,
  callTool,
  showServer,
  textOf,
  untilState,
} from '../../../testing/mcp/mcp-host.ts';
import { freePort } from '../../../testing/mcp/real-servers.ts';
import { AuthorizationServer } from '../../../testing/mcp-oauth/authorization-server.ts';
import { agreeAt, pageOf, signIn } from '../../../testing/mcp-oauth/person.ts';
import {
  type ProtectedServer,
  serveProtected,
} from '../../../testing/mcp-oauth/protected-server.ts';
import { startTestHost, type TestHost } from '../../../testing/test-host.ts';
import { listenOn } from '../../../testing/web-server.ts';

let host: TestHost;
let authority: AuthorizationServer;
let server: ProtectedServer;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());
beforeEach(async () => {
  authority = await AuthorizationServer.start();
  // The authorization server accepts only registered clients.
  authority.behaviour.metadata = { registration_endpoint: undefined };
  server = await serveProtected(authority);
});
afterEach(async () => {
  await server.close();
  await authority.close();
});

type OAuth = Exclude<Parameters<typeof add>[0], undefined>;

const definition = () => ({
  name: `own-${server.port}`,
  transport: 'STREAMABLE_HTTP' as const,
  url: server.base,
  enabled: true,
  callTimeoutSeconds: 60,
  trustAnnotations: true,
});

const add = (oauth?: {
  clientId?: string;
  clientSecret?: string;
  scopes?: string[];
  callbackPort?: number;
  redirectUri?: string;
  clientMetadataUrl?: string;
}): Promise<McpServerView> =>
  addUntil(host, { ...definition(), ...(oauth ? { oauth } : {}) }, 'NEEDS_AUTH');

const replace = (
  id: string,
  more: { url?: string; oauth?: McpOAuthReplacement | null } = {},
): Promise<McpServerView> =>
  host.client.call(api.mcp.replace, { params: { id }, body: { ...definition(), ...more } });

const authorize = (id: string) => host.ask(`/api/mcp/servers/${id}/authorize`, { method: 'POST' });

const inAnyPort = 'http://127.0.0.1/callback';

/** A client with a secret that is registered with the redirect address of RFC 8252. */
function registeredClient(): { clientId: string; clientSecret: string } {
  const { id, secret } = authority.registerClient([inAnyPort]);
  return { clientId: id, clientSecret: secret ?? '' };
}

describe('a client that is registered at the authorization server', () => {
  it('is used for the sign-in, and nothing else is registered', async () => {
    authority.behaviour.metadata = {};
    const client = registeredClient();
    const { id } = await add(client);
    const page = await pageOf(host, id);
    expect(page.searchParams.get('client_id')).toBe(client.clientId);
    expect(page.searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect((await fetch(await agreeAt(page))).status).toBe(200);
    await untilState(host, id, 'CONNECTED');
    authority.expire();
    expect(textOf(await callTool(host, id, 'echo'))).toBe('{}');
    expect(authority.tokenRequests).toHaveLength(2);
    expect(authority.asked.filter((one) => one.includes('/register'))).toEqual([]);
  });

  it('may have no secret', async () => {
    const { id: clientId } = authority.registerClient([inAnyPort], true);
    const { id } = await add({ clientId });
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
    expect(authority.tokenRequests[0]?.has('client_secret')).toBe(false);
  });

  it.each(['client_secret_basic', 'client_secret_post'])(
    'authenticates with %s',
    async (method) => {
      authority.behaviour.metadata = {
        registration_endpoint: undefined,
        token_endpoint_auth_methods_supported: [method],
      };
      const { id } = await add(registeredClient());
      await signIn(host, id);
      await untilState(host, id, 'CONNECTED');
      const isPost = method === 'client_secret_post';
      expect(authority.tokenRequests[0]?.has('client_secret')).toBe(isPost);
    },
  );

  it('is named in the error if the authorization server refuses it', async () => {
    const { id } = await add({ ...registeredClient(), clientSecret: 'wrong' });
    expect((await signIn(host, id)).text).toContain('You are not signed in');
    expect((await untilState(host, id, 'NEEDS_AUTH')).error).toMatch(
      /returned invalid_client\. Check the client ID and the client secret\.$/,
    );
  });

  it.each([
    ['registers nobody', { registration_endpoint: undefined }, false],
    ['refuses to register this host', {}, true],
  ])('is what the user is told to register at a server that %s', async (_, metadata, refuses) => {
    authority.behaviour.metadata = metadata;
    authority.behaviour.refusesRegistration = refuses;
    const { id } = await add();
    const { status, text } = await authorize(id);
    expect(status).toBe(502);
    const found =
      /redirect address (http:\S+:(\d+)\/callback), then enter its client ID and the callback port \2/.exec(
        text,
      );
    const [, redirectUri = '', port] = found ?? [];
    // A user who registers the address is signed in.
    const { id: clientId } = authority.registerClient([redirectUri], true);
    await replace(id, { oauth: { clientId, callbackPort: Number(port) } });
    await untilState(host, id, 'NEEDS_AUTH');
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
  });

  it('requests its own scopes, and additional ones that a call needs', async () => {
    const { id } = await add({ ...registeredClient(), scopes: ['mine', 'other'] });
    const page = await pageOf(host, id);
    expect(page.searchParams.get('scope')).toBe('mine other');
    await fetch(await agreeAt(page));
    await untilState(host, id, 'CONNECTED');
    server.callScope = 'tools:call';
    await expect(callTool(host, id, 'echo')).rejects.toMatchObject({
      problem: { code: 'mcp_needs_auth' },
    });
    expect((await pageOf(host, id)).searchParams.get('scope')).toBe('mine other tools:call');
  });
});

describe('the redirect address of a client', () => {
  it.each([
    [
      'a port',
      (port: number) => ({ callbackPort: port }),
      (port: number) => `http://127.0.0.1:${port}/callback`,
    ],
    [
      'an address',
      (port: number) => ({ redirectUri: `http://localhost:${port}/oauth/back` }),
      (port: number) => `http://localhost:${port}/oauth/back`,
    ],
    [
      'an address and a port',
      (port: number) => ({ redirectUri: 'http://localhost', callbackPort: port }),
      (port: number) => `http://localhost:${port}`,
    ],
  ])('is exactly the one specified by %s', async (_, oauth, address) => {
    const port = await freePort();
    const { id: clientId } = authority.registerClient([address(port)], true);
    const { id } = await add({ clientId, ...oauth(port) });
    const page = await pageOf(host, id);
    expect(page.searchParams.get('redirect_uri')).toBe(address(port));
    // Starting again gives the same address.
    expect((await pageOf(host, id)).searchParams.get('redirect_uri')).toBe(address(port));
    const back = await agreeAt(await pageOf(host, id));
    back.hostname = '127.0.0.1';
    const isNamed = address(port).includes('localhost');
    expect((await fetch(back)).status).toBe(isNamed ? 404 : 200);
    if (isNamed) back.hostname = 'localhost';
    if (isNamed) expect((await fetch(back)).status).toBe(200);
    await untilState(host, id, 'CONNECTED');
  });

  it('may be any free port of a registered localhost', async () => {
    const { id: clientId } = authority.registerClient(['http://localhost/back'], true);
    const { id } = await add({ clientId, redirectUri: 'http://localhost/back' });
    const page = await pageOf(host, id);
    expect(page.searchParams.get('redirect_uri')).toMatch(/^http:\/\/localhost:\d+\/back$/);
    expect((await fetch(await agreeAt(page))).status).toBe(200);
    await untilState(host, id, 'CONNECTED');
  });

  it.each([
    ['127.0.0.1', (port: number) => ({ callbackPort: port })],
    ['::1', (port: number) => ({ redirectUri: `http://localhost:${port}/callback` })],
  ])('is reported as taken if another program listens on %s', async (address, oauth) => {
    const other = await listenOn(createServer(), address);
    const { id: clientId } = authority.registerClient([inAnyPort], true);
    const { id } = await add({ clientId, ...oauth(other.port) });
    const { status, text } = await authorize(id);
    expect([status, JSON.parse(text)]).toMatchObject([
      409,
      {
        code: 'callback_port_taken',
        detail: expect.stringContaining(`Port ${other.port} `) as string,
      },
    ]);
    await other.close();
    expect((await authorize(id)).status).toBe(200);
  });

  it('is released by the sign-in of another server with the same address', async () => {
    const callbackPort = await freePort();
    const { id: clientId } = authority.registerClient(
      [`http://127.0.0.1:${callbackPort}/callback`],
      true,
    );
    const first = await add({ clientId, callbackPort });
    await pageOf(host, first.id);
    const second = await addUntil(
      host,
      { ...definition(), name: `second-${server.port}`, oauth: { clientId, callbackPort } },
      'NEEDS_AUTH',
    );
    await signIn(host, second.id);
    await untilState(host, second.id, 'CONNECTED');
    expect((await showServer(host, first.id)).error).toContain('uses the same port');
  });
});

describe('a client metadata document', () => {
  const clientMetadataUrl = 'https://host.example/client.json';

  it('is the client if the authorization server supports such documents', async () => {
    authority.documents = new Map([[clientMetadataUrl, { redirectUris: [inAnyPort] }]]);
    const { id } = await add({ clientMetadataUrl });
    const page = await pageOf(host, id);
    expect(page.searchParams.get('client_id')).toBe(clientMetadataUrl);
    await fetch(await agreeAt(page));
    await untilState(host, id, 'CONNECTED');
    authority.expire();
    expect(textOf(await callTool(host, id, 'echo'))).toBe('{}');
  });

  it('comes after a configured client and before a registration', async () => {
    authority.behaviour.metadata = {};
    authority.documents = new Map([[clientMetadataUrl, { redirectUris: [inAnyPort] }]]);
    const client = registeredClient();
    const { id } = await add({ ...client, clientMetadataUrl });
    expect((await pageOf(host, id)).searchParams.get('client_id')).toBe(client.clientId);
    await replace(id, { oauth: { clientMetadataUrl } });
    await untilState(host, id, 'NEEDS_AUTH');
    expect((await pageOf(host, id)).searchParams.get('client_id')).toBe(clientMetadataUrl);
    authority.documents = null;
    const registered = (await pageOf(host, id)).searchParams.get('client_id') ?? '';
    expect([...authority.clients.keys()].slice(1)).toEqual([registered]);
  });

  it('is suggested if clients cannot be registered', async () => {
    authority.documents = new Map();
    const { id } = await add();
    expect((await authorize(id)).text).toContain('or the address of a client metadata document');
  });
});

describe('the stored data of a client', () => {
  it('is returned without its secret, which is kept if a form leaves it blank', async () => {
    const client = registeredClient();
    const { id, oauth } = await add({ ...client, scopes: ['mine'] });
    expect(oauth).toEqual({ clientId: client.clientId, scopes: ['mine'], hasClientSecret: true });
    const { clientId } = client;
    for (const clientSecret of ['', null, undefined])
      expect(
        (await replace(id, { oauth: { clientId, clientSecret, callbackPort: 4_711 } })).oauth,
      ).toEqual({ clientId, callbackPort: 4_711, hasClientSecret: true });
    expect((await replace(id)).oauth).toMatchObject({ callbackPort: 4_711, hasClientSecret: true });
    await replace(id, { oauth: { clientId } });
    await untilState(host, id, 'NEEDS_AUTH');
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
    const listed = await host.ask('/api/mcp/servers');
    const logs = await host.ask(`/api/mcp/servers/${id}/logs`);
    const settings = await host.ask('/api/settings');
    for (const { text } of [listed, logs, settings]) expect(text).not.toContain('canary');
  });

  it('belongs to that client: another client does not get its secret, and null removes it', async () => {
    const { id } = await add(registeredClient());
    expect((await replace(id, { oauth: { clientId: 'another' } })).oauth).toEqual({
      clientId: 'another',
      hasClientSecret: false,
    });
    expect((await replace(id, { oauth: null })).oauth).toBeUndefined();
  });

  it('survives a restart of the host', async () => {
    const client = registeredClient();
    const { id } = await add(client);
    await host.stop();
    host = await startTestHost({ workDirectory: host.workDirectory });
    await untilState(host, id, 'NEEDS_AUTH');
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
  });

  it('determines the sign-in: another client needs another one, other scopes do not', async () => {
    const client = registeredClient();
    const { id } = await add(client);
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
    await replace(id, { oauth: { clientId: client.clientId, scopes: ['mine'] } });
    await untilState(host, id, 'CONNECTED');
    await replace(id, { oauth: registeredClient() });
    await untilState(host, id, 'NEEDS_AUTH');
  });

  it('is never sent to another authorization server than before', async () => {
    const client = registeredClient();
    const { id } = await add(client);
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
    const other = await AuthorizationServer.start();
    server.authority = other;
    const { status, text } = await authorize(id);
    expect([status, text]).toEqual([502, expect.stringContaining('enter the client secret again')]);
    expect(other.tokenRequests).toEqual([]);
    const { id: clientId, secret } = other.registerClient([inAnyPort]);
    await replace(id, { oauth: { clientId, clientSecret: secret } });
    await untilState(host, id, 'NEEDS_AUTH');
    await signIn(host, id);
    await untilState(host, id, 'CONNECTED');
    await other.close();
  });

  it.each<[OAuth, string]>([
    [{ clientSecret: 'x' }, 'A client secret needs a client ID'],
    [
      { clientId: 'a', redirectUri: 'http://localhost:81/x', callbackPort: 82 },
      'another port than the callback port',
    ],
    [{ clientId: 'a', redirectUri: 'http://localhost:99999/x' }, 'redirectUri'],
    [{ clientId: 'a', redirectUri: 'http://localhost.example/x' }, 'redirectUri'],
    [{ clientId: 'a', redirectUri: 'http://localhost@a.example/x' }, 'redirectUri'],
    [{ clientId: 'a', redirectUri: 'https://a.example/x' }, 'redirectUri'],
    [{ clientMetadataUrl: 'https://a.example/' }, 'clientMetadataUrl'],
    [{ clientMetadataUrl: 'http://a.example/x' }, 'clientMetadataUrl'],
    [{ clientId: 'ä' }, 'clientId'],
    [{ clientId: 'a', callbackPort: 0 }, 'callbackPort'],
  ])('is refused if it is invalid: %j', async (oauth, reason) => {
    const answer = await host.ask('/api/mcp/servers', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...definition(), oauth }),
    });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(reason)]);
  });
});
