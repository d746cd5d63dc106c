import { request } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestHost, type TestHost } from '../testing/test-host.ts';

let host: TestHost;
beforeEach(async () => {
  host = await startTestHost({ properties: { allowedHosts: ['localhost:8080', 'host.example'] } });
});
afterEach(() => host.close());

const port = (): string => new URL(host.baseUrl).port;

/** Returns the status of a response to these Host and Origin headers. */
function ask(named: string, origin?: string): Promise<number | undefined> {
  const headers = { host: named, ...(origin === undefined ? {} : { origin }) };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: port(), path: '/api/health', headers });
    sent.once('error', reject);
    sent.once('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.end();
  });
}

it.each([
  ['localhost:8080', undefined, 200],
  ['localhost:8080', 'http://localhost:8080', 200],
  ['host.example', 'https://host.example', 200],
  ['localhost:8081', undefined, 403],
  ['host.example:8080', undefined, 403],
  ['evil.example', undefined, 403],
  ['localhost:8080', 'http://evil.example', 403],
  ['localhost:8080', 'null', 403],
])('as %s, from a page of %s, the answer is %i', async (named, origin, status) => {
  expect(await ask(named, origin)).toBe(status);
});

it('the own names of the host are still accepted', async () => {
  expect(await ask(`127.0.0.1:${port()}`, `http://localhost:${port()}`)).toBe(200);
});
