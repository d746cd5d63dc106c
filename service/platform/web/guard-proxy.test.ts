import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serveWeb, type WebServer } from '../../testing/web-server.ts';
import { GuardProxy, type GuardProxyOptions } from './guard-proxy.ts';

let server: WebServer;
let hidden: WebServer;
let proxy: GuardProxy | undefined;
const seen: string[] = [];
beforeAll(async () => {
  hidden = await serveWeb((_, response) => void response.end('hidden'));
  server = await serveWeb((asked, response) => {
    seen.push(
      `${asked.method} ${asked.url} ${asked.headers.host} ${Object.keys(asked.headers).join()}`,
    );
    if (asked.url === '/large') return void response.end(Buffer.alloc(3_000_000));
    asked.pipe(response.writeHead(201, { 'x-told': 'yes' }));
  });
});
afterEach(async () => {
  await proxy?.close();
  seen.length = 0;
});
afterAll(() => Promise.all([server.close(), hidden.close()]));

async function open(more: Partial<GuardProxyOptions> = {}): Promise<GuardProxy> {
  const networkPolicy = { loopback: false, private: false, allow: [server.allow] };
  return (proxy = await GuardProxy.open({ networkPolicy, maxBytes: 1_000_000, ...more }));
}

/** Returns status and body, or the error code. */
function through(url: string, body = ''): Promise<{ status: number; text: string }> {
  const { port } = proxy!;
  const headers = { host: new URL(url).host, 'proxy-connection': 'keep-alive' };
  return new Promise((resolve, reject) => {
    const asked = request({ port, path: url, method: 'POST', headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() });
      });
    });
    asked.on('error', reject).end(body);
  });
}

/** Returns the first line of the response to a CONNECT, and the response to `payload` after it. */
function tunnel(authority: string, payload: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(proxy!.port, '127.0.0.1');
    socket.on('data', (piece) => {
      if (text === '') socket.write(payload);
      text += piece.toString();
    });
    socket.on('error', () => undefined).on('close', () => resolve(text));
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  });
}

describe('the proxy of the web guard', () => {
  it('forwards a request without the headers for the proxy', async () => {
    await open();
    expect(await through(`${server.base}/a?b`, 'word')).toEqual({ status: 201, text: 'word' });
    expect(seen[0]).toMatch(/^POST \/a\?b 127\.0\.0\.1:\d+ /);
    expect(seen[0]).not.toContain('proxy');
    expect(proxy?.failures).toEqual([]);
  });

  it('tunnels bytes in both directions', async () => {
    await open();
    const payload = 'GET /t HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await tunnel(server.allow, payload)).toMatch(
      /200 Connection Established[^]*201 Created/,
    );
  });

  it('connects to no forbidden server, by address or by name', async () => {
    await open({ lookup: () => Promise.resolve([{ address: '127.0.0.1' }]) });
    await expect(through(`${hidden.base}/`)).rejects.toThrow();
    await expect(through(`http://rebound.example:${hidden.port}/`)).rejects.toThrow();
    expect(await tunnel(hidden.allow, '')).toMatch(/^HTTP\/1\.1 403/);
    expect(await tunnel(`rebound.example:${hidden.port}`, '')).toMatch(/^HTTP\/1\.1 403/);
    expect(await tunnel('169.254.169.254:80', '')).toMatch(/^HTTP\/1\.1 403/);
    expect(await hidden.connections()).toBe(0);
    expect(proxy?.failures.map(({ refused }) => refused)).not.toContain(false);
    expect(proxy?.failures[0]?.message).toContain('not allowed');
  });

  it('connects to the checked address, even if the name resolves differently a moment later', async () => {
    const answers = ['127.0.0.1', '10.0.0.1'];
    let asked = 0;
    await open({ lookup: () => Promise.resolve([{ address: answers[asked++] ?? '10.0.0.1' }]) });
    expect(await through(`http://once.example:${server.port}/x`, 'y')).toMatchObject({ text: 'y' });
    expect(asked).toBe(1);
    expect(seen[0]).toContain(`once.example:${server.port}`);
  });

  it('closes connections beyond its byte limit until it is reset', async () => {
    await open();
    await expect(through(`${server.base}/large`)).rejects.toThrow();
    await expect(through(`${server.base}/more`)).rejects.toThrow();
    expect(proxy?.failures).toMatchObject([{ refused: true }]);
    proxy?.reset();
    expect(await through(`${server.base}/more`)).toMatchObject({ status: 201 });
    expect(proxy?.failures).toEqual([]);
  });

  it('does not contact a server that a rule denies', async () => {
    await open({
      objection: ({ pathname }) => (pathname === '/no' ? 'Denied.' : null),
    });
    await expect(through(`${server.base}/no`)).rejects.toThrow();
    expect(proxy?.failures).toMatchObject([{ message: 'Denied.', refused: true }]);
    expect(await through(`${server.base}/yes`)).toMatchObject({ status: 201 });
  });

  it('is not a web server itself, and closes all its connections when it ends', async () => {
    await open();
    await expect(through(`http://127.0.0.1:${proxy?.port ?? 0}/`)).rejects.toThrow();
    const held = tunnel(server.allow, 'GET /');
    await expect.poll(() => server.connections()).toBe(1);
    await proxy?.close();
    expect(await held).toContain('200');
    await expect.poll(() => server.connections()).toBe(0);
  });
});
