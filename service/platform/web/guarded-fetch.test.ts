import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompress, deflate, deflateRaw, gzip } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { listenOn, serveWeb, type WebServer } from '../../testing/web-server.ts';
import type { FetchOptions } from './exchange.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { publicOnly } from './network-policy.ts';

const mebibyte = 1024 ** 2;
const cap = 16 * mebibyte;

const servers: WebServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(answer: RequestListener, address?: string): Promise<WebServer> {
  const server = await serveWeb(answer, address);
  servers.push(server);
  return server;
}

const local = { loopback: true, private: false, allow: [] };
const options: FetchOptions = { networkPolicy: local, maxBytes: cap, timeoutMs: 60_000 };

/** Sends data endlessly, as fast as the client reads. */
function pour(res: ServerResponse, piece: Buffer, poured: (bytes: number) => void): void {
  const more = (): void => {
    while (!res.destroyed) {
      poured(piece.length);
      if (!res.write(piece)) break;
    }
  };
  res.on('drain', more);
  more();
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of req) text += String(piece);
  return text;
}

describe('a guarded fetch', () => {
  it('returns status, headers, address and body, and sends a plain user agent', async () => {
    const server = await serve((req, res) => {
      res.setHeader('x-twice', ['a', 'b']);
      res.end(JSON.stringify(req.headers));
    });
    const answer = await guardedFetch(`${server.base}/a?b=c#d`, options);
    expect(answer).toMatchObject({ status: 200, url: `${server.base}/a?b=c#d` });
    expect(answer.headers['x-twice']).toBe('a, b');
    expect(JSON.parse(answer.body.toString())).toEqual({
      host: `127.0.0.1:${server.port}`,
      'user-agent': 'plugin-host',
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      connection: 'close',
    });
  });

  it('sends a body, and overrides headers of the connection', async () => {
    const server = await serve((req, res) => {
      void bodyOf(req).then((text) => res.end(`${req.method} ${req.headers.host} ${text}`));
    });
    const headers = { Host: 'other.test', 'Transfer-Encoding': 'chunked', 'Content-Length': '1' };
    const answer = await guardedFetch(server.base, {
      ...options,
      headers,
      method: 'POST',
      body: 'héllo',
    });
    expect(answer.body.toString()).toBe(`POST 127.0.0.1:${server.port} héllo`);
  });

  it('keeps no connection open', async () => {
    const server = await serve((_req, res) => {
      res.setHeader('connection', 'keep-alive').end('x');
    });
    await guardedFetch(server.base, options);
    await expect.poll(() => server.connections()).toBe(0);
  });

  it('passes errors and 304 on, with an empty body for the latter', async () => {
    const server = await serve((req, res) => {
      if (req.url === '/gone') res.writeHead(410).end('gone');
      else if (req.headers['if-none-match'] === '"1"')
        res.writeHead(304, { 'content-length': 2 * cap, 'content-encoding': 'gzip' }).end();
      else res.writeHead(200, { etag: '"1"' }).end('new');
    });
    const response = await guardedFetch(`${server.base}/gone`, options);
    expect([response.status, response.body.toString()]).toEqual([410, 'gone']);
    const first = await guardedFetch(server.base, options);
    const headers = { 'If-None-Match': first.headers['etag'] ?? '' };
    const second = await guardedFetch(server.base, { ...options, headers });
    expect([second.status, second.body.length]).toEqual([304, 0]);
  });

  it('ignores proxies of the environment', async () => {
    let proxied = 0;
    const proxy = await serve((_req, res) => {
      proxied += 1;
      res.end('proxied');
    });
    const server = await serve((_req, res) => res.end('direct'));
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
    for (const name of names) process.env[name] = proxy.base;
    process.env['NODE_USE_ENV_PROXY'] = '1';
    try {
      expect((await guardedFetch(server.base, options)).body.toString()).toBe('direct');
    } finally {
      for (const name of [...names, 'NODE_USE_ENV_PROXY'])
        Reflect.deleteProperty(process.env, name);
    }
    expect(proxied).toBe(0);
  });
});

describe('the connection of a guarded fetch', () => {
  it('goes to the checked address, even if DNS changes later', async () => {
    const answer: RequestListener = (req, res) => {
      res.end(`${req.socket.localAddress} ${req.headers.host}`);
    };
    const checked = await serve(answer);
    const lookups = [['127.0.0.1'], ['127.0.0.2']];
    const fetched = await guardedFetch(`http://rebind.test:${checked.port}/`, {
      ...options,
      networkPolicy: publicOnly([checked.allow]),
      lookup: () => Promise.resolve((lookups.shift() ?? []).map((address) => ({ address }))),
    });
    expect(fetched.body.toString()).toBe(`127.0.0.1 rebind.test:${checked.port}`);
    expect(lookups).toHaveLength(1);
  });

  it('is not opened if one of many addresses is forbidden', async () => {
    let asked = 0;
    const server = await serve((_req, res) => {
      asked += 1;
      res.end();
    });
    const both = ['127.0.0.1', '10.0.0.5'].map((address) => ({ address }));
    const fetched = guardedFetch(`http://both.test:${server.port}/`, {
      ...options,
      lookup: () => Promise.resolve(both),
    });
    await expect(fetched).rejects.toMatchObject({ kind: 'invalid', code: 'address_refused' });
    expect(asked).toBe(0);
  });

  it('tries the next address of a name', async () => {
    const server = await serve((_req, res) => res.end('here'));
    const two = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address }));
    const fetched = await guardedFetch(`http://two.test:${server.port}/`, {
      ...options,
      lookup: () => Promise.resolve(two),
    });
    expect(fetched.body.toString()).toBe('here');
  });

  it('to a localhost name needs no DNS and reaches this machine alone', async () => {
    const server = await serve((req, res) => res.end(req.headers.host));
    const lookup = (): never => {
      throw new Error('nobody asks DNS for localhost');
    };
    const url = `http://app.localhost:${server.port}/`;
    const fetched = await guardedFetch(url, { ...options, lookup });
    expect(fetched.body.toString()).toBe(`app.localhost:${server.port}`);
    const allowed = { ...options, lookup, networkPolicy: publicOnly([server.allow]) };
    expect((await guardedFetch(url, allowed)).status).toBe(200);
    const refused = guardedFetch(url, {
      ...options,
      lookup,
      networkPolicy: publicOnly(['127.0.0.1:1']),
    });
    await expect(refused).rejects.toMatchObject({ code: 'address_refused' });
  });

  it('reports the reason if there is none', async () => {
    // Nothing listens there; an address that is allowed explicitly may have any port.
    const nobody = { ...options, networkPolicy: publicOnly(['127.0.0.1:1']) };
    await expect(guardedFetch('http://127.0.0.1:1/', nobody)).rejects.toMatchObject({
      kind: 'upstream-failed',
      code: 'unreachable',
      message: expect.stringContaining('refuses the connection'),
    });
    const rude = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .resume()
        .end('SSH-2.0-x\r\n');
    });
    const rudeServer = await listenOn(rude);
    servers.push(rudeServer);
    await expect(guardedFetch(rudeServer.base, options)).rejects.toThrow('like a web server');
  });
});

describe('the redirects of a guarded fetch', () => {
  const redirecting = (to: () => string, status = 302): Promise<WebServer> =>
    serve((_req, res) => res.writeHead(status, { location: to() }).end('moved'));

  it('are followed, and each one is checked', async () => {
    const server = await serve((req, res) => {
      const next: Record<string, string> = { '/a': 'b?c', '/b?c': '/d' };
      const location = next[req.url ?? ''];
      if (location) res.writeHead(301, { location }).end();
      else res.end('there');
    });
    const answer = await guardedFetch(`${server.base}/a`, options);
    expect(answer).toMatchObject({ url: `${server.base}/d`, body: Buffer.from('there') });

    let asked = 0;
    const inner = await serve((_req, res) => {
      asked += 1;
      res.end('secret');
    });
    const door = await redirecting(() => `${inner.base}/`);
    const fetched = guardedFetch(door.base, {
      ...options,
      networkPolicy: publicOnly([door.allow]),
    });
    await expect(fetched).rejects.toMatchObject({ code: 'address_refused' });
    expect(asked).toBe(0);
  });

  it('end after the limit, by default ten', async () => {
    let asked = 0;
    const server = await serve((_req, res) => {
      asked += 1;
      res.writeHead(307, { location: '/again' }).end();
    });
    await expect(guardedFetch(server.base, options)).rejects.toMatchObject({
      kind: 'upstream-failed',
      code: 'too_many_redirects',
    });
    expect(asked).toBe(11);
    const none = guardedFetch(server.base, { ...options, maxRedirects: 0 });
    await expect(none).rejects.toMatchObject({ code: 'too_many_redirects' });
    expect(asked).toBe(12);
  });

  it('send no secret of the caller to another origin, nor back again', async () => {
    const seen: Record<string, unknown>[] = [];
    let back = '';
    const other = await serve((req, res) => {
      seen.push(req.headers);
      res.writeHead(302, { location: back }).end();
    });
    const server = await serve((req, res) => {
      seen.push(req.headers);
      const location = req.url === '/' ? '/same' : `${other.base}/`;
      if (req.url === '/end') res.end();
      else res.writeHead(302, { location }).end();
    });
    back = `${server.base}/end`;
    const secrets = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Subscription-Token': 'key' };
    await guardedFetch(server.base, {
      ...options,
      headers: { ...secrets, 'If-None-Match': '"1"' },
    });
    const names = Object.keys(secrets).map((name) => name.toLowerCase());
    expect(seen.map((headers) => names.filter((name) => name in headers).length)).toEqual([
      3, 3, 0, 0,
    ]);
    expect(seen.every((headers) => headers['if-none-match'] === '"1"')).toBe(true);
  });

  it('turn a POST into a GET, or keep its body for the same origin', async () => {
    const seen: string[] = [];
    const other = await serve((_req, res) => res.end());
    const server = await serve((req, res) => {
      void bodyOf(req).then((text) => {
        seen.push(`${req.method} ${req.url} ${text}`);
        const [, status, path] = /^\/(\d+)(.*)/.exec(req.url ?? '') ?? [];
        const location = path === '/away' ? `${other.base}/` : '/end';
        if (status) res.writeHead(Number(status), { location }).end();
        else res.end();
      });
    });
    const post = { ...options, method: 'POST' as const, body: 'key' };
    await guardedFetch(`${server.base}/303`, post);
    await guardedFetch(`${server.base}/308`, post);
    expect(seen).toEqual(['POST /303 key', 'GET /end ', 'POST /308 key', 'POST /end key']);
    const away = guardedFetch(`${server.base}/307/away`, post);
    await expect(away).rejects.toMatchObject({ code: 'address_refused' });
  });

  it.each(['http://u:p@127.0.0.1/', 'ftp://127.0.0.1/', 'http://[::1', 'http://127.0.0.1:25/'])(
    'to %s are refused',
    async (target) => {
      const server = await redirecting(() => target);
      const networkPolicy = publicOnly([server.allow]);
      const fetched = guardedFetch(server.base, { ...options, networkPolicy });
      await expect(fetched).rejects.toMatchObject({ code: 'address_refused' });
    },
  );
});

describe('the limits of a guarded fetch', () => {
  const tooLarge = { kind: 'too-large', code: 'too_large', message: expect.any(String) };

  it('accept exactly the limit, and not a byte more', async () => {
    const server = await serve((req, res) => {
      const body = Buffer.alloc(Number(req.url?.slice(1)), 1);
      res.write(body.subarray(0, 100));
      res.end(body.subarray(100));
    });
    const small = { ...options, maxBytes: 1000 };
    expect((await guardedFetch(`${server.base}/1000`, small)).body.length).toBe(1000);
    await expect(guardedFetch(`${server.base}/1001`, small)).rejects.toMatchObject(tooLarge);
  });

  it('refuse 17 MiB, whether announced, chunked or compressed', async () => {
    const body = Buffer.alloc(17 * mebibyte, 'a');
    const packed = await promisify(gzip)(body);
    const server = await serve((req, res) => {
      if (req.url === '/announced') res.setHeader('content-length', body.length);
      if (req.url !== '/packed') return res.end(body);
      return res.setHeader('content-encoding', 'gzip').end(packed);
    });
    for (const path of ['announced', 'chunked', 'packed']) {
      const fetched = guardedFetch(`${server.base}/${path}`, options);
      await expect(fetched).rejects.toMatchObject({
        ...tooLarge,
        message: '127.0.0.1 sends more than the 16 MiB allowed here.',
      });
    }
  });

  it('stop endless bodies at once, compressed ones with little memory', async () => {
    const bomb = await promisify(gzip)(Buffer.alloc(64 * mebibyte), { level: 9 });
    const poured = { '/plain': 0, '/packed': 0 };
    const server = await serve((req, res) => {
      const path = req.url === '/packed' ? '/packed' : '/plain';
      if (path === '/packed') res.setHeader('content-encoding', 'gzip');
      const piece = path === '/packed' ? bomb : Buffer.alloc(64 * 1024);
      pour(res, piece, (bytes) => (poured[path] += bytes));
    });
    await expect(guardedFetch(`${server.base}/plain`, options)).rejects.toMatchObject(tooLarge);
    const before = process.memoryUsage().rss;
    await expect(guardedFetch(`${server.base}/packed`, options)).rejects.toMatchObject(tooLarge);
    // One more piece would unpack to 64 MiB, and many of them are in transit.
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * mebibyte);
    expect(poured['/packed']).toBeGreaterThan(bomb.length);
    await expect.poll(() => server.connections()).toBe(0);
  });

  it('end a request to a silent server, and a stalled body', async () => {
    const server = await serve((req, res) => {
      if (req.url === '/body') res.write('some');
    });
    for (const path of ['silent', 'body']) {
      const fetched = guardedFetch(`${server.base}/${path}`, { ...options, timeoutMs: 300 });
      await expect(fetched).rejects.toMatchObject({
        kind: 'upstream-failed',
        code: 'unreachable',
        message: expect.stringContaining('timed out'),
      });
    }
    await expect.poll(() => server.connections()).toBe(0);
  });

  it('end an unanswered TLS handshake, and a name resolution that never ends', async () => {
    const deaf = createServer((socket) => socket.on('error', () => undefined).resume());
    const deafServer = await listenOn(deaf, '127.0.0.1', 'https');
    servers.push(deafServer);
    const short = { ...options, timeoutMs: 300 };
    await expect(guardedFetch(deafServer.base, short)).rejects.toThrow('timed out');
    await expect.poll(() => deafServer.connections()).toBe(0);
    const lookup = (): Promise<never> => new Promise(() => undefined);
    const fetched = guardedFetch('http://slow.test/', { ...short, lookup });
    await expect(fetched).rejects.toThrow('slow.test did not answer in time');
  });

  it('end with the signal and its reason', async () => {
    const server = await serve((_req, res) => res.write('some'));
    const stop = new AbortController();
    const fetched = guardedFetch(server.base, { ...options, signal: stop.signal });
    await expect.poll(() => server.connections()).toBe(1);
    stop.abort(new Error('changed my mind'));
    await expect(fetched).rejects.toThrow('changed my mind');
    await expect.poll(() => server.connections()).toBe(0);
    const late = guardedFetch(server.base, { ...options, signal: stop.signal });
    await expect(late).rejects.toThrow('changed my mind');
  });

  it('report a truncated body', async () => {
    const server = await serve((req, res) => {
      if (req.url === '/counted') res.setHeader('content-length', 100);
      res.write('some', () => res.destroy());
    });
    for (const path of ['counted', 'chunked']) {
      const fetched = guardedFetch(`${server.base}/${path}`, options);
      await expect(fetched).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringContaining('was lost'),
      });
    }
  });
});

describe('the encodings of a guarded fetch', () => {
  const text = 'a catalogue '.repeat(20_000);
  const packers: Record<string, (body: Buffer) => Promise<Buffer>> = {
    gzip: promisify<Buffer, Buffer>(gzip),
    'X-GZIP': promisify<Buffer, Buffer>(gzip),
    br: promisify<Buffer, Buffer>(brotliCompress),
    deflate: promisify<Buffer, Buffer>(deflate),
    'identity, deflate': promisify<Buffer, Buffer>(deflateRaw),
  };

  it.each(Object.entries(packers))('unpack %s', async (encoding, pack) => {
    const packed = await pack(Buffer.from(text));
    const server = await serve((_req, res) => {
      res.setHeader('content-encoding', encoding);
      // Only the first byte, to test that it determines the kind of deflate.
      res.write(packed.subarray(0, 1), () => setImmediate(() => res.end(packed.subarray(1))));
    });
    expect((await guardedFetch(server.base, options)).body.toString()).toBe(text);
  });

  it('decode several in order, and none without a body', async () => {
    const packed = await packers['br']!(await packers['gzip']!(Buffer.from(text)));
    const server = await serve((req, res) => {
      res.setHeader('content-encoding', 'gzip, br');
      res.end(req.url === '/empty' ? '' : packed);
    });
    expect((await guardedFetch(server.base, options)).body.toString()).toBe(text);
    expect((await guardedFetch(`${server.base}/empty`, options)).body.length).toBe(0);
  });

  it.each([
    ['gzip', 'no gzip'],
    ['br', 'no brotli'],
    ['deflate', 'no deflate'],
  ])('refuse damaged %s', async (encoding, body) => {
    const server = await serve((_req, res) => {
      res.setHeader('content-encoding', encoding).end(body);
    });
    await expect(guardedFetch(server.base, options)).rejects.toThrow('cannot be unpacked');
  });

  it('refuse a truncated body, an unknown encoding and too many encodings', async () => {
    const packed = await packers['gzip']!(Buffer.from(text));
    const server = await serve((req, res) => {
      const encodings: Record<string, string> = { '/zip': 'zip', '/many': 'gzip,gzip,gzip,gzip' };
      res.setHeader('content-encoding', encodings[req.url ?? ''] ?? 'gzip');
      res.end(packed.subarray(0, -10));
    });
    const fetchOf = (path: string): Promise<unknown> => guardedFetch(server.base + path, options);
    await expect(fetchOf('/short')).rejects.toThrow('cannot be unpacked');
    await expect(fetchOf('/zip')).rejects.toThrow('does not support');
    await expect(fetchOf('/many')).rejects.toThrow('does not support');
  });
});

it('does not keep the process alive', async () => {
  const server = await serve((_req, res) => res.end('x'));
  const { spawn } = await import('node:child_process');
  const module = new URL('./guarded-fetch.ts', import.meta.url).href;
  const script = `
    const { guardedFetch } = await import('${module}');
    const networkPolicy = { loopback: true, private: false, allow: [] };
    await guardedFetch('${server.base}', { networkPolicy, maxBytes: 10, timeoutMs: 600000 });
    console.log('fetched');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let output = '';
  child.stdout.on('data', (piece) => (output += String(piece)));
  const [code] = (await once(child, 'exit')) as [number];
  expect([code, output.trim()]).toEqual([0, 'fetched']);
});
