import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Client, createClient, ServiceError } from '../client/index.ts';
import { api } from '../contract/index.ts';
import { packPlugin } from '../testing/packages.ts';
import { startTestHost } from '../testing/test-host.ts';
import { useForFile } from '../testing/use-for-file.ts';

const test = await useForFile(startTestHost());

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Creates a client of a server that is not a host. */
async function clientOf(listener: RequestListener): Promise<Client> {
  const made = createServer(listener);
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  const { port } = made.address() as AddressInfo;
  return createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => 'token' });
}

describe('a call', () => {
  it('resolves with the response of the service', async () => {
    expect(await test.client.call(api.host.health)).toEqual({ status: 'ok' });
    const { id } = await test.client.call(api.notifications.create, {
      body: { source: 'host', level: 'info', title: 'x' },
    });
    expect(await test.client.call(api.notifications.remove, { params: { id } })).toBeUndefined();
  });

  it('rejects with the problem that the service returned', async () => {
    const call = test.client.call(api.notifications.read, { params: { id: 'none' } });
    await expect(call).rejects.toBeInstanceOf(ServiceError);
    await expect(call).rejects.toMatchObject({
      message: 'There is no notification with this id.',
      problem: { status: 404, code: 'unknown_notification' },
    });
  });

  it('reads the token again for each request', async () => {
    let token: string | null = null;
    const client = createClient({ baseUrl: test.baseUrl, token: () => token });
    await expect(client.call(api.settings.get)).rejects.toMatchObject({ problem: { status: 401 } });
    token = test.token;
    expect((await client.call(api.settings.get)).theme).toBe('light');
  });

  it('escapes names in the path', () => {
    const { client, baseUrl } = test;
    expect(client.url(api.notifications.read, { params: { id: '../a b/%?#' } })).toBe(
      `${baseUrl}/api/notifications/..%2Fa%20b%2F%25%3F%23/read`,
    );
    expect(client.url(api.plugins.asset, { params: { id: 'p1', file: ['a b', 'c.js'] } })).toBe(
      `${baseUrl}/plugin-runtime/p1/a%20b/c.js`,
    );
    expect(
      client.url(api.host.metric, {
        params: { name: 'n' },
        query: { tag: ['a:1', 'b:&'], x: undefined },
      }),
    ).toBe(`${baseUrl}/actuator/metrics/n?tag=a%3A1&tag=b%3A%26`);
  });

  it('sends a file with its fields before it', async () => {
    const packed = await packPlugin({ manifest: { id: 'acme.upload' } });
    const file = new Blob([packed]);
    const seen = await test.client.call(api.market.inspect, { file, fields: {} });
    expect(seen).toMatchObject({ id: 'acme.upload', installed: false, sizeBytes: packed.length });
    const wrong = test.client.call(api.market.inspect, {
      file,
      fields: { sha256: '0'.repeat(64) },
    });
    await expect(wrong).rejects.toMatchObject({ problem: { code: 'checksum_mismatch' } });
    expect(
      await test.client.call(api.market.inspect, { file, fields: { sha256: seen.sha256 } }),
    ).toEqual(seen);
  });

  it('rejects when the service cannot be reached', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', token: () => null });
    await expect(client.call(api.host.health)).rejects.toMatchObject({
      problem: { status: 0, code: 'unreachable' },
    });
  });

  it('rejects when the connection is cut in the middle of a response', async () => {
    const client = await clientOf((_req, res) => {
      res.writeHead(200, { 'Content-Length': '1000' });
      res.write('{"half":', () => res.destroy());
    });
    await expect(client.call(api.host.health)).rejects.toMatchObject({
      problem: { status: 0, code: 'unreachable' },
    });
  });

  it('rejects a response that is not from the service', async () => {
    const client = await clientOf((_req, res) => res.writeHead(502).end('<h1>Bad gateway</h1>'));
    await expect(client.call(api.host.health)).rejects.toMatchObject({
      problem: { status: 502, code: 'unexpected_answer' },
    });
    server?.close();
    const other = await clientOf((_req, res) => res.end('<h1>Sign in to this network</h1>'));
    await expect(other.call(api.host.health)).rejects.toMatchObject({
      problem: { code: 'unexpected_answer' },
    });
  });

  it('can be aborted, and rejects with the reason of the signal', async () => {
    const client = await clientOf(() => undefined);
    const controller = new AbortController();
    const call = client.call(api.host.health, { signal: controller.signal });
    const reason = new Error('changed my mind');
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });
});

describe('a stream', () => {
  const ticketed = async (): Promise<{ query: never }> => {
    const { ticket } = await test.client.call(api.notifications.ticket);
    return { query: { ticket } as never };
  };

  it('yields typed events, and closes the connection when the reader stops', async () => {
    const events = test.client.stream(api.notifications.stream, await ticketed());
    const nextEvent = events.next();
    const made: unknown[] = [];
    const createNotification = async (): Promise<void> => {
      const body = { source: 'host', level: 'info', title: 'é\n\u2028x' } as const;
      made.push(await test.client.call(api.notifications.create, { body }));
    };
    // The first events may arrive before the stream is open.
    let first: unknown;
    void nextEvent.then(({ value }) => (first = value));
    await expect.poll(() => createNotification().then(() => first)).toBeDefined();
    expect(made.map((data) => ({ event: 'notification', data }))).toContainEqual(first);
    expect(await events.return(undefined)).toEqual({ done: true, value: undefined });
  });

  it('reads frames that arrive in pieces, cut inside a character', async () => {
    const bytes = Buffer.from(': hello\n\nevent: notification\ndata: {"title":"é\u{1f680}"}\n\n');
    const client = await clientOf((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const send = (i: number): void => {
        if (i === bytes.length) res.end();
        else res.write(bytes.subarray(i, i + 1), () => setImmediate(send, i + 1));
      };
      send(0);
    });
    const received: unknown[] = [];
    for await (const event of client.stream(api.notifications.stream)) received.push(event);
    expect(received).toEqual([{ event: 'notification', data: { title: 'é\u{1f680}' } }]);
  });

  it('throws the error that ended it', async () => {
    const client = await clientOf((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.end('event: error\ndata: {"message":"The model does not answer."}\n\n');
    });
    await expect(client.stream(api.notifications.stream).next()).rejects.toMatchObject({
      message: 'The model does not answer.',
      problem: { code: 'stream_failed' },
    });
  });

  it('throws when the connection is cut', async () => {
    const client = await clientOf((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write('event: notification\ndata: {}\n\n', () => res.destroy());
    });
    const events = client.stream(api.notifications.stream);
    const all = (async () => {
      for await (const _ of events);
    })();
    await expect(all).rejects.toMatchObject({ problem: { status: 0, code: 'unreachable' } });
  });

  it('is refused with the same errors as a call', async () => {
    const events = test.client.stream(api.notifications.stream);
    await expect(events.next()).rejects.toMatchObject({
      problem: { status: 401, code: 'invalid_ticket' },
    });
  });
});
