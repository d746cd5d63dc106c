import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { serveWeb, type WebServer } from '../../../testing/web-server.ts';
import { oauthFetch } from './oauth-fetch.ts';

let local: WebServer;
let other: WebServer;
let received: IncomingHttpHeaders[] = [];
beforeAll(async () => {
  [local, other] = (await Promise.all(
    [0, 1].map(() =>
      serveWeb((req, res) => {
        received.push(req.headers);
        res.end('{}');
      }),
    ),
  )) as [WebServer, WebServer];
});
afterAll(async () => {
  await local.close();
  await other.close();
});
beforeEach(() => {
  received = [];
});

const inPublic = new URL('https://1.1.1.1/mcp');

it('does not reach this machine for a server on a public network', async () => {
  const fetched = oauthFetch(inPublic, {}, [])(`${local.base}/.well-known/x`);
  await expect(fetched).rejects.toThrow('resolves to this machine');
  const posted = oauthFetch(inPublic, {}, [])(`${local.base}/token`, { method: 'POST', body: 'x' });
  await expect(posted).rejects.toThrow('resolves to this machine');
  const metadata = oauthFetch(inPublic, {}, [])('http://169.254.169.254/latest/meta-data');
  await expect(metadata).rejects.toThrow('link-local');
  expect(received).toEqual([]);
});

it("reaches addresses in the host's allow list", async () => {
  const answer = await oauthFetch(inPublic, {}, [local.allow])(local.base);
  expect([answer.status, await answer.text()]).toEqual([200, '{}']);
});

it('sends the headers of a server only to its own origin, and never those that identify the client', async () => {
  const headers = { 'X-Api-Key': 'mine', AUTHORIZATION: 'Bearer mine' };
  const fetchFn = oauthFetch(new URL(`${local.base}/mcp`), headers, []);
  await fetchFn(`${local.base}/.well-known/x`, { headers: { Accept: 'application/json' } });
  await fetchFn(`${other.base}/token`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
  expect(received[0]).toMatchObject({ 'x-api-key': 'mine', accept: 'application/json' });
  expect(received[0]?.authorization).toBeUndefined();
  expect(JSON.stringify(received[1])).not.toContain('mine');
});
