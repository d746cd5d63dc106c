import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTools, openTools } from '../../../testing/open-tools.ts';
import { serveWeb, type WebServer } from '../../../testing/web-server.ts';
import { msg } from '../../../messages/index.ts';
import { failure } from '../tool.ts';

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}
const answers = new Map<string, Answer>();
let server: WebServer;
let hidden: WebServer;
let tools: OpenTools;
beforeAll(async () => {
  hidden = await serveWeb((_, response) => response.end('hidden'));
  server = await serveWeb((request, response) => {
    const answer = answers.get(request.url ?? '') ?? { status: 404, body: 'not here' };
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  });
  tools = await openTools([server.allow]);
});
afterAll(async () => {
  await tools.close();
  await Promise.all([server.close(), hidden.close()]);
});

const html = 'text/html; charset=utf-8';
/** Returns the result of the tool for a page with this body. */
function fetched(body: string | Buffer, type = html, more: object = {}) {
  answers.set('/page', { headers: { 'content-type': type }, body });
  return tools.json('web_fetch', { url: `${server.base}/page`, ...more });
}

const paragraph =
  '<p>A long paragraph, with words, commas, and <a href="../more?x=1">a link</a> in it, as articles have them.</p>';

describe('a page', () => {
  it('is returned as Markdown of its readable content', async () => {
    const article = `<article><h2>The heading</h2>${paragraph.repeat(10)}<ul><li>one</li><li>two</li></ul><pre><code>let a = 1;\n  b();</code></pre><table><tr><th>Name</th><th>Age</th></tr><tr><td>Zoë</td><td>41</td></tr></table><img src="data:image/png;base64,AAAA" alt="a cat"><script>alert(1)</script></article>`;
    const body = `<!doctype html><html><head><title>News &amp; more</title><style>p{}</style></head><body><nav><a href="/">Menu</a></nav>${article}<footer>Imprint</footer></body></html>`;
    const result = await fetched(body);
    expect(result).toMatchObject({
      url: `${server.base}/page`,
      status: 200,
      contentType: html,
      title: 'News & more',
      truncated: false,
    });
    const text = String(result['text']);
    expect(text).toMatch(/^## The heading\n\nA long paragraph/);
    expect(text).toContain(`[a link](${server.base}/more?x=1)`);
    expect(text).toMatch(/- +one\n- +two/);
    expect(text).toContain('```\nlet a = 1;\n  b();\n```');
    expect(text).toMatch(/\| Name \| Age \|\n\| Zoë \| 41 \|/);
    expect(text).toContain('[image: a cat]');
    expect(text).not.toMatch(/alert|base64|Imprint|Menu|<p>/);
  });

  it('that is not an article is returned completely', async () => {
    const result = await fetched(
      '<title>Tiny</title><h1>Hello</h1><a href="/a">First</a> <a href="javascript:x()">Second</a>',
    );
    expect(result['title']).toBe('Tiny');
    expect(result['text']).toBe(`## Hello\n\n[First](${server.base}/a) Second`);
  });

  it.each([
    ['its header', 'text/html; charset=windows-1251', Buffer.from('cff0e8e2e5f2', 'hex'), 'Привет'],
    [
      'its own tag',
      'text/html',
      Buffer.concat([Buffer.from('<meta charset="gbk">'), Buffer.from('c4e3bac3', 'hex')]),
      '你好',
    ],
    ['its byte order mark', 'text/html; charset=latin1', Buffer.from('\uFEFFgrün'), 'grün'],
    ['being UTF-8', 'text/html', Buffer.from('grün 🙂'), 'grün 🙂'],
    ['being nothing else', 'text/html', Buffer.from('gr\xfcn', 'latin1'), 'grün'],
    [
      'being UTF-8 where its charset is unknown',
      'text/html; charset=klingon',
      Buffer.from('grün'),
      'grün',
    ],
  ])('is decoded by %s', async (_, type, body, text) => {
    expect((await fetched(body, type))['text']).toBe(text);
  });

  it('is truncated to the requested length, and says so', async () => {
    const body = `<p>${'🙂'.repeat(40_000)}</p>`;
    const standard = await fetched(body);
    expect({ length: String(standard['text']).length, truncated: standard['truncated'] }).toEqual({
      length: 50_000,
      truncated: true,
    });
    const short = await fetched(body, html, { maxCharacters: 3 });
    expect(short).toMatchObject({ text: '🙂', truncated: true });
    expect(await fetched('<p>abc</p>', html, { maxCharacters: 3 })).toMatchObject({
      text: 'abc',
      truncated: false,
    });
  });

  it.each([
    ['nested endlessly', '<div>'.repeat(200_000)],
    ['a huge table', `<table>${`<tr>${'<td>cell</td>'.repeat(20)}</tr>`.repeat(4_000)}</table>`],
    ['of open tags', `${'<b><i><u>'.repeat(60_000)}words`],
    ['of half tags', `words${'<'.repeat(200_000)}`],
    ['of comments that never end', `words${'<!--'.repeat(50_000)}`],
    ['of attributes', `<p ${'a=b '.repeat(250_000)}>words`],
    ['of entities', `words${'&amp;&#128512;'.repeat(20_000)}`],
  ])('that is %s does not block the host', async (_, body) => {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    await fetched('<p>a first one, so that everything is loaded</p>');
    delay.enable();
    const result = await fetched(body);
    delay.disable();
    expect(result).toMatchObject({ status: 200, text: expect.any(String) as unknown });
    expect(delay.max / 1e6).toBeLessThan(3_000);
  });
});

describe('content that is not a page', () => {
  it('is returned unchanged if it is text', async () => {
    const json = '{"a": [1, 2],\n "b": "<p>"}';
    expect(await fetched(json, 'application/json')).toMatchObject({
      text: json,
      contentType: 'application/json',
    });
    expect(await fetched(json, 'application/problem+json; charset=utf-8')).toMatchObject({
      text: json,
    });
    expect(await fetched('a <b>\n c', 'text/plain')).toMatchObject({ text: 'a <b>\n c' });
    expect(
      await fetched(Buffer.from('gr\xfcn', 'latin1'), 'text/csv; charset=iso-8859-1'),
    ).toMatchObject({ text: 'grün' });
    answers.set('/untyped', { body: 'just words' });
    expect(await tools.json('web_fetch', { url: `${server.base}/untyped` })).toMatchObject({
      text: 'just words',
    });
  });

  it('is described by type and size if it is not text', async () => {
    const result = await fetched(Buffer.alloc(12_345, 7), 'image/png');
    expect(result['text']).toBe(
      'The address leads to image/png of 12345 bytes, which is not text. Only text can be read here.',
    );
    expect((await fetched(Buffer.alloc(10), 'application/octet-stream'))['text']).toMatch(
      /10 bytes, which is not text/,
    );
  });

  it('has its HTTP status, and an error status is a failure', async () => {
    const url = `${server.base}/nothing`;
    const { success, output } = await tools.call('web_fetch', { url });
    expect(success).toBe(false);
    expect(JSON.parse(output)).toMatchObject({ url, status: 404, text: 'not here' });
  });
});

describe('the guard', () => {
  const refusal = async (url: string): Promise<string> => {
    const { success, output } = await tools.call('web_fetch', { url });
    expect(success, url).toBe(false);
    return output;
  };

  it('refuses local and private addresses, also behind a redirect [TOOL-05, TOOL-07]', async () => {
    expect((await tools.catalog.find('web_fetch'))?.effect).toBe('read');
    for (const url of [
      `${hidden.base}/`,
      'http://localhost:1/',
      'http://10.0.0.1/',
      'http://[::1]/',
      'http://2130706433/',
      'http://169.254.169.254/latest/meta-data/',
    ])
      expect(await refusal(url)).toMatch(/not allowed/);
    answers.set('/away', { status: 302, headers: { location: `${hidden.base}/` } });
    expect(await refusal(`${server.base}/away`)).toMatch(/not allowed/);
    expect(await refusal('file:///etc/passwd')).toMatch(/Only http and https/);
    expect(await refusal('nonsense')).toMatch(/not a web address/);
  });

  it('follows other redirects, and returns the final address', async () => {
    answers.set('/old', { status: 301, headers: { location: '/new' } });
    answers.set('/new', { headers: { 'content-type': 'text/plain' }, body: 'here' });
    expect(await tools.json('web_fetch', { url: `${server.base}/old` })).toMatchObject({
      url: `${server.base}/new`,
      text: 'here',
    });
  });

  it('accepts no more than 5 MiB', async () => {
    answers.set('/large', {
      headers: { 'content-type': 'text/plain' },
      body: Buffer.alloc(5 * 1024 ** 2 + 1, 'a'),
    });
    expect(await refusal(`${server.base}/large`)).toMatch(/5 MiB|large/);
  });

  it('closes the connection when the call is cancelled', async () => {
    const silent = await serveWeb(() => undefined);
    const own = await openTools([silent.allow]);
    const cancel = new AbortController();
    const fetching = own.call('web_fetch', { url: silent.base }, { signal: cancel.signal });
    await expect.poll(() => silent.connections()).toBe(1);
    cancel.abort();
    expect(await fetching).toEqual(failure(msg('tools.cancelled')));
    await expect.poll(() => silent.connections()).toBe(0);
    await own.close();
    await silent.close();
  });
});
