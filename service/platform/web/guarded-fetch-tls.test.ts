import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenOn, serveWeb, type WebServer } from '../../testing/web-server.ts';
import type { FetchOptions } from './exchange.ts';
import { guardedFetch } from './guarded-fetch.ts';

/** For `localhost` and `127.0.0.1`. */
const pem = (name: string): Promise<string> =>
  readFile(
    join(import.meta.dirname, '../../testing/database-servers/tls', `test-only-${name}.pem`),
    'utf8',
  );

const networkPolicy = { loopback: true, private: false, allow: [] };
const options: FetchOptions = { networkPolicy, maxBytes: 1024, timeoutMs: 60_000 };
const usual = getCACertificates('default');

let server: WebServer;
let plain: WebServer;
let authority: string;

beforeAll(async () => {
  authority = await pem('ca');
  const secure = createServer(
    { key: await pem('server-key'), cert: await pem('server') },
    (req, res) => {
      if (req.url === '/down') res.writeHead(302, { location: plain.base }).end();
      else
        res.end(
          `${String('servername' in req.socket && req.socket.servername)} ${req.headers.host}`,
        );
    },
  );
  server = await listenOn(secure, '127.0.0.1', 'https');
  plain = await serveWeb((req, res) => {
    res.writeHead(302, { location: `https://localhost:${server.port}${req.url}` }).end();
  });
});
afterAll(async () => {
  setDefaultCACertificates(usual);
  await Promise.all([server.close(), plain.close()]);
});

const trusting = async <T>(work: () => Promise<T>): Promise<T> => {
  setDefaultCACertificates([...usual, authority]);
  try {
    return await work();
  } finally {
    setDefaultCACertificates(usual);
  }
};

describe('a guarded fetch over TLS', () => {
  it('sends the name, not the address, to the server', async () => {
    const url = `https://localhost:${server.port}/`;
    const answer = await trusting(() => guardedFetch(url, options));
    expect(answer.body.toString()).toBe(`localhost localhost:${server.port}`);
    const byAddress = await trusting(() => guardedFetch(server.base, options));
    expect(byAddress.body.toString()).toBe(`false 127.0.0.1:${server.port}`);
  });

  it('refuses a certificate for another name, although the address fits', async () => {
    const lookup = (): Promise<{ address: string }[]> =>
      Promise.resolve([{ address: '127.0.0.1' }]);
    const url = `https://other.test:${server.port}/`;
    const fetched = trusting(() => guardedFetch(url, { ...options, lookup }));
    await expect(fetched).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('for another name'),
    });
  });

  it('refuses an untrusted certificate', async () => {
    await expect(guardedFetch(server.base, options)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('is not trusted'),
    });
  });

  it('reports that a server does not support TLS', async () => {
    const fetched = guardedFetch(`https://127.0.0.1:${plain.port}/`, options);
    await expect(fetched).rejects.toThrow('No TLS connection');
  });

  it('follows a redirect from http to https, never back', async () => {
    const answer = await trusting(() => guardedFetch(`${plain.base}/up`, options));
    expect(answer.url).toBe(`https://localhost:${server.port}/up`);
    const down = trusting(() => guardedFetch(`${server.base}/down`, options));
    await expect(down).rejects.toMatchObject({
      code: 'address_refused',
      message: expect.stringContaining('from https to http'),
    });
  });
});
