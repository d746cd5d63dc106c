import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { asked, emitReady, resetElectron } from '../testing/stand-in/electron.ts';
import type { PageRequest } from '../testing/stand-in/network.ts';
import { serveShell } from './shell-scheme.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let open = 0;

beforeEach(async () => {
  resetElectron();
  emitReady();
  open = 0;
  server = createServer((request, response) => {
    open += 1;
    response.on('close', () => (open -= 1));
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  serveShell({
    directory: tmpdir(),
    serviceUrl: `http://127.0.0.1:${port}`,
    token: 'the-token',
    theme: () => null,
  });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (path: string, page: PageRequest = {}): Promise<Response> => {
  const handler = asked.protocols.get('app');
  if (!handler) throw new Error('Nobody serves the scheme.');
  return handler(`app://shell/api${path}`, page);
};

const stream = (response: ServerResponse): void => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write('event: hello\n\n');
};

it('a hundred pages that leave their streams leave nothing behind', async () => {
  answer = (_request, response) => stream(response);
  for (let visit = 0; visit < 100; visit += 1) {
    const { body } = await ask('/notifications/stream');
    const reader = body!.getReader();
    await reader.read();
    await reader.cancel();
  }
  answer = (_request, response) => response.end('ok');
  expect(await (await ask('/health')).text()).toBe('ok');
  await expect.poll(() => open).toBe(0);
  expect(asked.loaders.alive).toBe(0);
});

it('twenty streams at once keep no other request waiting', async () => {
  answer = (_request, response) => stream(response);
  const streams = await Promise.all(Array.from({ length: 20 }, () => ask('/stream')));
  answer = (_request, response) => response.end('ok');
  expect(await (await ask('/health')).text()).toBe('ok');
  for (const { body } of streams) await body?.cancel();
  await expect.poll(() => open).toBe(0);
});

it('an upload of 2 GiB passes, and is never held in memory', async () => {
  const chunkBytes = 4 * 1_024 * 1_024;
  const chunks = 512;
  let received = 0;
  let sent = 0;
  let most = 0;
  answer = (request, response) => {
    request.on('data', (bytes: Buffer) => (received += bytes.length));
    request.on('end', () => response.end('stored'));
  };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      most = Math.max(most, sent * chunkBytes - received);
      if (sent === chunks) return controller.close();
      sent += 1;
      controller.enqueue(new Uint8Array(chunkBytes));
    },
  });
  const response = await ask('/plugins/upload', { method: 'POST', body });
  expect(await response.text()).toBe('stored');
  expect(received).toBe(chunks * chunkBytes);
  expect(most).toBeLessThan(64 * 1_024 * 1_024);
}, 120_000);

it('an upload that the service refuses early ends with its answer', async () => {
  answer = (_request, response) => {
    response.writeHead(413, { Connection: 'close' }).end('too large');
  };
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if ((sent += 1) > 64) return controller.close();
      controller.enqueue(new Uint8Array(1_024 * 1_024));
    },
  });
  const response = await ask('/plugins/upload', { method: 'POST', body });
  expect([response.status, await response.text()]).toEqual([413, 'too large']);
});

it('method, status, headers and body are forwarded both ways, and redirects are not followed', async () => {
  answer = (request, response) => {
    const { 'x-host-token': token, origin, host } = request.headers;
    response.writeHead(201, { 'X-Told': 'yes' });
    response.end(JSON.stringify([request.method, request.url, token, origin ?? null, host]));
  };
  const headers = { Origin: 'app://shell', Host: 'shell' };
  const stored = await ask('/a?b=1', { method: 'PUT', headers, body: '{}' });
  const { port } = server.address() as AddressInfo;
  expect([stored.status, stored.headers.get('X-Told')]).toEqual([201, 'yes']);
  expect(await stored.json()).toEqual([
    'PUT',
    '/api/a?b=1',
    'the-token',
    null,
    `127.0.0.1:${port}`,
  ]);
  answer = (_request, response) => response.writeHead(204).end();
  expect((await ask('/a', { method: 'DELETE' })).status).toBe(204);
  answer = (_request, response) => response.writeHead(302, { Location: '/api/other' }).end();
  await expect(ask('/a')).rejects.toThrow('sends on');
});

it('a stopped service is an error, and so is a truncated answer', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('half', () => response.destroy());
  };
  await expect((await ask('/a')).text()).rejects.toThrow();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await expect(ask('/a')).rejects.toThrow();
});
