import { describe, expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const host = await useForFile(startTestHost());

/** The result of importing one server, and the reasons of its warnings. */
async function one(server: unknown) {
  const found = await host.client.call(api.mcp.import, {
    query: { dryRun: 'true' },
    body: { mcpServers: { s: server } },
  });
  const servers = 'servers' in found ? found.servers : [];
  return { server: servers[0], reasons: found.warnings.map(({ reason }) => reason) };
}

describe('the OAuth client of a server', () => {
  const url = 'https://a.example/mcp';

  it('is imported with its redirect address, and its secret is not shown', async () => {
    const { server, reasons } = await one({
      type: 'http',
      url,
      oauth: { clientId: 'my-client', clientSecret: '${KEY:-hidden}', callbackPort: 3118 },
    });
    expect(server).toMatchObject({
      oauth: {
        clientId: 'my-client',
        clientSecret: null,
        redirectUri: 'http://localhost:3118/callback',
      },
    });
    expect(reasons).toEqual(['contains ${KEY}; the default is used']);
  });

  it('without a redirect address gives a warning', async () => {
    const { server, reasons } = await one({ url, auth: { CLIENT_ID: 'a', scopes: ['one'] } });
    expect(server).toMatchObject({ oauth: { clientId: 'a', scopes: ['one'] } });
    expect(reasons).toEqual([expect.stringContaining('http://127.0.0.1/callback')]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ redirectUri: 'https://a.example/back' }, 'oauth.redirectUri must be http://127.0.0.1'],
    [{ redirectUri: 'cursor://a/b' }, 'oauth.redirectUri must be'],
    [{ callbackPort: 70_000 }, 'oauth.redirectUri must be'],
    [{ scopes: ['a"b'] }, 'oauth.scopes.0 must be one scope'],
    [{ clientMetadataUrl: 'http://a.example/x' }, 'oauth.clientMetadataUrl must be an https'],
  ])('with %j is not imported, but its server is', async (wrong, reason) => {
    const { server, reasons } = await one({ url, oauth: { clientId: 'a', ...wrong } });
    expect(server).toMatchObject({ name: 's', url });
    expect(server).not.toHaveProperty('oauth');
    expect(reasons).toEqual([expect.stringContaining(reason)]);
  });

  it('reports the parts that are not imported', async () => {
    const { server, reasons } = await one({
      url,
      oauth: { clientId: 'a', redirectUri: 'http://localhost', tokenUrl: 'https://a.example/t' },
    });
    expect(server).toMatchObject({ oauth: { clientId: 'a', redirectUri: 'http://localhost' } });
    expect(reasons).toEqual([
      'has oauth.tokenUrl, which is not imported: the server specifies where to sign in',
    ]);
  });
});
