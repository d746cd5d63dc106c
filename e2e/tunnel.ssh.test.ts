import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltHost, createHosts } from './built-host.ts';
import { prepareTunnels, type Tunnels } from './ssh-tunnel.ts';

const hosts = createHosts();
/**
 * Represents the loopback address of the person's machine, since the host uses the port on
 * 127.0.0.1.
 */
const ownLoopback = '127.0.0.2';

let folder = '';
let tunnels: Tunnels;
let host: BuiltHost;
let hostPort = '';
/** Another port of the person's machine, in the list of allowed hosts. */
let named = 0;
/** A port that is not in the list. */
let unnamed = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tunnel-'));
  [named, unnamed] = [await freePort(), await freePort()];
  const args = ['--web', '--port=0', '--setup=SQLITE', `--host.allowed-hosts=localhost:${named}`];
  host = await hosts.start({ args });
  hostPort = await host.value('HOST_PORT');
  tunnels = prepareTunnels(folder);
  await tunnels.open(`${ownLoopback}:${hostPort}:127.0.0.1:${hostPort}`);
  await tunnels.open(`${ownLoopback}:${named}:127.0.0.1:${hostPort}`);
  await tunnels.open(`${ownLoopback}:${unnamed}:127.0.0.1:${hostPort}`);
});
afterAll(async () => {
  await tunnels.close();
  await hosts.cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, ownLoopback, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Sent {
  method?: string;
  origin?: string;
  token?: string;
  body?: string;
  /** Returns once the response contains this text; otherwise reads all of it. */
  until?: string;
}

/** Sends a request as a browser does at `http://<address>/`, through the tunnel of that port. */
function ask(address: string, path: string, sent: Sent = {}): Promise<[number, string]> {
  const { method = 'GET', origin, token, body, until } = sent;
  const [, port] = address.split(':');
  const headers = {
    Host: address,
    ...(origin === undefined ? {} : { Origin: origin }),
    ...(token === undefined ? {} : { 'X-Host-Token': token }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const asked = request({ host: ownLoopback, port, method, path, headers }, (answer) => {
      let text = '';
      const end = (): void => resolve([answer.statusCode ?? 0, text]);
      answer.on('data', (bytes: Buffer) => {
        text += bytes.toString('utf8');
        if (until === undefined || !text.includes(until)) return;
        end();
        asked.destroy();
      });
      answer.once('end', end);
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

/** Uses the shell, its ticket, the API and a stream as a page at this address does. */
async function useAsPage(address: string): Promise<void> {
  const origin = `http://${address}`;
  const [status, page] = await ask(address, '/');
  expect([status, page]).toEqual([200, expect.stringContaining('<div id="shell">')]);
  const token = await host.value('HOST_TOKEN');
  const settings = await ask(address, '/api/settings', { origin, token });
  expect([settings[0], JSON.parse(settings[1])]).toMatchObject([200, { theme: 'light' }]);
  const post = { method: 'POST', origin, token };
  const [, ticket] = await ask(address, '/api/notifications/stream-ticket', post);
  const stream = `/api/notifications/stream?ticket=${(JSON.parse(ticket) as { ticket: string }).ticket}`;
  const received = ask(address, stream, { origin, until: `by ${address}` });
  const body = JSON.stringify({ source: 'host', level: 'info', title: `by ${address}` });
  expect((await ask(address, '/api/notifications', { ...post, body }))[0]).toBe(201);
  expect((await received)[1]).toContain('event: notification');
}

it('with the same port on both sides a tunnel works as it is, and the one-time address with it', async () => {
  const { hash, host: address } = new URL(await host.value('HOST_URL'));
  const [, ticket = ''] = hash.split('=');
  await useAsPage(address);
  const body = JSON.stringify({ ticket });
  const origin = `http://${address}`;
  const exchanged = await ask(address, '/api/web/session', { method: 'POST', origin, body });
  expect(exchanged[0]).toBe(200);
  const { token } = JSON.parse(exchanged[1]) as { token: string };
  expect((await ask(address, '/api/settings', { origin, token }))[0]).toBe(200);
});

it('with another port it works where host.allowed-hosts names it', async () => {
  await useAsPage(`localhost:${named}`);
});

it('with another port it is refused where nothing names it, and so is a page of another origin', async () => {
  const token = await host.value('HOST_TOKEN');
  for (const address of [`localhost:${unnamed}`, `127.0.0.1:${named}`])
    expect((await ask(address, '/api/settings', { token }))[0]).toBe(403);
  const origin = `http://localhost:${unnamed}`;
  const [status] = await ask(`localhost:${named}`, '/api/settings', { origin, token });
  expect(status).toBe(403);
});

it('says what is wrong where the port is taken on the side of the person', async () => {
  const forward = `${ownLoopback}:${named}:127.0.0.1:${hostPort}`;
  await expect(tunnels.open(forward)).rejects.toThrow('Address already in use');
});
