import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSecrets } from '../../../platform/secrets.ts';
import { AuthorizationServer } from '../../../testing/mcp-oauth/authorization-server.ts';
import { agreeAt } from '../../../testing/mcp-oauth/person.ts';
import {
  type ProtectedServer,
  serveProtected,
} from '../../../testing/mcp-oauth/protected-server.ts';
import type { McpServer } from '../definitions/server.ts';
import { PluginSignIns } from './plugin-sign-ins.ts';
import { msg } from '../../../messages/index.ts';
import { SignIns } from './sign-ins.ts';
import type { SignIn } from './sign-in.ts';

let authority: AuthorizationServer;
let web: ProtectedServer;
let server: McpServer;
let signIns: SignIns;
let stored: SignIn[];
let ofPlugins: PluginSignIns;
let saved: unknown;

const openPluginSignIns = (): Promise<PluginSignIns> =>
  PluginSignIns.open(
    { load: async () => saved, save: async (value) => void (saved = value) },
    createSecrets('the key of this machine'),
  );

const listener = { signedIn: vi.fn(), signInNeeded: vi.fn() };

beforeEach(async () => {
  vi.clearAllMocks();
  stored = [];
  saved = undefined;
  ofPlugins = await openPluginSignIns();
  authority = await AuthorizationServer.start();
  web = await serveProtected(authority);
  server = {
    id: 'one',
    name: 'one',
    transport: 'STREAMABLE_HTTP',
    url: web.base,
    enabled: true,
    env: {},
    headers: {},
    builtIn: false,
    callTimeoutSeconds: 60,
    trustAnnotations: true,
  };
});
afterEach(async () => {
  signIns.close();
  await web.close();
  await authority.close();
});

function createSignIns(waitsMs: number, isThere = true): SignIns {
  const store = {
    signInOf: () => stored.at(-1) ?? null,
    saveSignIn: async (_id: string, signIn: SignIn) => isThere && stored.push(signIn) > 0,
  };
  signIns = new SignIns({ stores: { own: store, ofPlugins }, allow: [], listener, waitsMs });
  return signIns;
}

const start = async (): Promise<URL> =>
  new URL((await signIns.authorize(server, false)).authorizationUrl);

describe('a sign-in in progress', () => {
  it('ends if the user never returns', async () => {
    createSignIns(300);
    const back = await agreeAt(await start());
    await expect.poll(() => listener.signInNeeded.mock.calls).toHaveLength(1);
    expect(listener.signInNeeded).toHaveBeenCalledWith(
      'one',
      expect.objectContaining({ code: 'mcp.signInNotInTime' }),
    );
    await expect(fetch(back)).rejects.toThrow('fetch failed');
    expect(stored).toEqual([]);
  });

  it('no longer waits after the user has returned', async () => {
    createSignIns(3_000);
    expect((await fetch(await agreeAt(await start()))).status).toBe(200);
    expect(listener.signedIn).toHaveBeenCalledWith('one');
    // One that was started later ends later.
    server = { ...server, id: 'two' };
    await start();
    await expect.poll(() => listener.signInNeeded.mock.calls.length).toBeGreaterThan(0);
    expect(listener.signInNeeded.mock.calls).toEqual([
      ['two', msg('mcp.signInNotInTime', { name: 'one' })],
    ]);
  });

  it('refuses a code that belongs to another verifier', async () => {
    createSignIns(60_000);
    const page = await start();
    page.searchParams.set('code_challenge', 'x'.repeat(43));
    const answer = await fetch(await agreeAt(page));
    expect(await answer.text()).toContain('You are not signed in');
    expect(authority.tokenRequests).toHaveLength(1);
    expect(listener.signInNeeded).toHaveBeenCalledWith(
      'one',
      msg('mcp.signInDidNotWork', {
        name: 'one',
        reason: msg('mcp.signInAnswered', { error: 'invalid_grant' }),
      }),
    );
    expect(stored).toEqual([]);
  });

  it('refuses a code of another sign-in', async () => {
    createSignIns(60_000);
    const foreign = await agreeAt(await start());
    const own = await agreeAt(await start());
    own.searchParams.set('code', foreign.searchParams.get('code') ?? '');
    await fetch(own);
    expect(stored).toEqual([]);
    expect(listener.signedIn).not.toHaveBeenCalled();
  });

  it('fails if the server was removed or moved meanwhile', async () => {
    createSignIns(60_000, false);
    const answer = await fetch(await agreeAt(await start()));
    expect(await answer.text()).toContain('changed or removed');
    expect(listener.signedIn).not.toHaveBeenCalled();
  });

  it('ends with the host', async () => {
    createSignIns(60_000);
    const back = await agreeAt(await start());
    signIns.close();
    await expect(fetch(back)).rejects.toThrow('fetch failed');
  });

  it('leaves no open listener, however often it is started', async () => {
    createSignIns(60_000);
    const backs = await Promise.all(Array.from({ length: 5 }, async () => agreeAt(await start())));
    const answers = await Promise.allSettled(backs.map((back) => fetch(back)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a sign-in at the server of a plugin', () => {
  it('is stored encrypted, survives a restart, and is removed with the plugin', async () => {
    createSignIns(60_000);
    server = { ...server, id: 'plugin:some:one', builtIn: true, pluginId: 'some' };
    await fetch(await agreeAt(await start()));
    expect(listener.signedIn).toHaveBeenCalledWith('plugin:some:one');
    expect(stored).toEqual([]);
    expect(JSON.stringify(saved)).not.toContain('canary');

    const reopened = await openPluginSignIns();
    expect(reopened.signInOf(server.id)?.tokens?.access_token).toContain('access-canary');
    await reopened.forget('plugin:other:');
    expect(reopened.signInOf(server.id)).not.toBeNull();
    await reopened.forget('plugin:some:');
    expect([reopened.signInOf(server.id), saved]).toEqual([null, {}]);
  });
});
