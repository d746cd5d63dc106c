import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WritableSettings } from '../../../contract/index.ts';
import { type OpenTools, openTools } from '../../../testing/open-tools.ts';
import { serveWeb, type WebServer } from '../../../testing/web-server.ts';

let server: WebServer;
let tools: OpenTools;
let asked: { request: IncomingMessage; body: string } | undefined;
let answer: { status: number; headers?: Record<string, string>; body: string };
beforeAll(async () => {
  server = await serveWeb((request, response) => {
    void text(request).then((body) => {
      asked = { request, body };
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  tools = await openTools();
});
afterAll(async () => {
  await tools.close();
  await server.close();
});
beforeEach(() => (asked = undefined));

const key = 'k3y-canary';
const results = [
  {
    title: 'First &amp; <strong>best</strong>',
    url: 'https://example.com/1',
    content: 'One <strong>word</strong>',
    description: 'One <strong>word</strong>',
  },
  { title: 'Router', url: 'http://192.168.0.1/admin', content: 'local', description: 'local' },
  { title: 'Here', url: 'http://localhost/', content: 'local', description: 'local' },
  { title: 'Script', url: 'javascript:alert(1)', content: 'x', description: 'x' },
  { url: 'https://example.org/2' },
  { title: 'without an address' },
];
const found = [
  { title: 'First & best', url: 'https://example.com/1', snippet: 'One word' },
  { title: 'https://example.org/2', url: 'https://example.org/2', snippet: '' },
];

function choose(provider: WritableSettings['webSearch']['provider'], more: object = {}): void {
  tools.settings.webSearch = { provider, baseUrl: server.base, apiKey: key, ...more };
}
const search = (more: object = {}) => tools.call('web_search', { query: 'grün & gelb?', ...more });

describe('a search', () => {
  it('with SearXNG requests JSON, and drops local results [TOOL-04, TOOL-06]', async () => {
    expect((await tools.catalog.find('web_search'))?.effect).toBe('read');
    choose('searxng', { apiKey: '', baseUrl: `${server.base}/sub` });
    answer = { status: 200, body: JSON.stringify({ results }) };
    expect(JSON.parse((await search()).output)).toEqual({ results: found });
    const url = new URL(asked?.request.url ?? '', server.base);
    expect(url.pathname).toBe('/sub/search');
    expect(Object.fromEntries(url.searchParams)).toEqual({ q: 'grün & gelb?', format: 'json' });
    expect(JSON.parse((await search({ limit: 1 })).output)).toEqual({ results: found.slice(0, 1) });
  });

  it('with Brave sends its key in a header', async () => {
    choose('brave');
    answer = { status: 200, body: JSON.stringify({ web: { results } }) };
    expect(JSON.parse((await search({ limit: 5 })).output)).toEqual({ results: found });
    expect(asked?.request.url).toBe('/res/v1/web/search?q=gr%C3%BCn+%26+gelb%3F&count=5');
    expect(asked?.request.headers['x-subscription-token']).toBe(key);
  });

  it('with Tavily posts its query', async () => {
    choose('tavily');
    answer = { status: 200, body: JSON.stringify({ results }) };
    expect(JSON.parse((await search({ limit: 5 })).output)).toEqual({ results: found });
    expect(asked?.request).toMatchObject({ method: 'POST', url: '/search' });
    expect(asked?.request.headers.authorization).toBe(`Bearer ${key}`);
    expect(JSON.parse(asked?.body ?? '')).toEqual({ query: 'grün & gelb?', max_results: 5 });
  });

  it('without a provider returns how to set one up', async () => {
    choose('none');
    const { success, output } = await search();
    expect(success).toBe(true);
    expect(JSON.parse(output)).toEqual({
      results: [],
      message: expect.stringMatching(/settings \(webSearch\)/) as unknown,
    });
    expect(asked).toBeUndefined();
    choose('searxng', { baseUrl: '' });
    expect(await search()).toMatchObject({
      success: false,
      output: expect.stringMatching(/needs the address/) as unknown,
    });
    choose('brave', { apiKey: '' });
    expect(await search()).toMatchObject({
      success: false,
      output: expect.stringMatching(/needs an API key/) as unknown,
    });
  });

  it.each([
    [401, '', /returned 401\. Check the API key/],
    [429, '', /Try again later/],
    [500, '', /returned 500/],
    [200, '<html>not here</html>', /did not return JSON/],
  ])(
    'that gets %s %s fails with a readable message, without the key',
    async (status, body, message) => {
      choose('brave');
      answer = { status, body };
      const { success, output } = await search();
      expect(success).toBe(false);
      expect(output).toMatch(message);
      expect(output).not.toContain(key);
    },
  );

  it('contacts only the server in the settings', async () => {
    const other = await serveWeb((_, response) => response.end('{"results": []}'));
    choose('searxng');
    answer = { status: 302, headers: { location: `${other.base}/search` }, body: '' };
    expect((await search()).success).toBe(false);
    expect(await other.connections()).toBe(0);
    await other.close();
  });

  it.each(['null', '[]', '{"results": 5}', '{"results": [null, 5, {"url": 5}]}'])(
    'with the response %s finds nothing',
    async (body) => {
      choose('searxng');
      answer = { status: 200, body };
      expect(JSON.parse((await search()).output)).toEqual({ results: [] });
    },
  );
});
