import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewNotification } from '../../../contract/index.ts';
import { type OpenTools, openTools } from '../../../testing/open-tools.ts';
import { serveWeb, type WebServer } from '../../../testing/web-server.ts';
import { nodeTools } from './node-tools.ts';

type Values = Record<string, unknown>;
let tools: OpenTools;
let server: WebServer;
let hidden: WebServer;
const notifications: NewNotification[] = [];
const asked: { method: string; url: string; headers: Values; body: string }[] = [];

beforeAll(async () => {
  hidden = await serveWeb((_, response) => response.end('hidden'));
  server = await serveWeb((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      asked.push({ method, url, headers, body: Buffer.concat(pieces).toString() });
      if (url === '/away') response.writeHead(307, { location: `${hidden.base}/` }).end();
      else if (url === '/broken')
        response.writeHead(500, { 'content-type': 'text/plain' }).end('no');
      else if (url === '/text')
        response.writeHead(200, { 'content-type': 'text/plain' }).end('{"a":1}');
      else if (url === '/large') response.end(Buffer.alloc(5 * 1024 ** 2 + 1, 'a'));
      else if (url === '/moved') response.writeHead(301, { location: '/json' }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":[1,2]}');
    });
  });
  tools = await openTools();
  const notify = async (notification: NewNotification): Promise<{ id: string }> => {
    notifications.push(notification);
    return { id: String(notifications.length) };
  };
  tools.catalog.add(nodeTools({ webAllow: [server.allow], notify }));
});
afterAll(async () => {
  await tools.close();
  await Promise.all([server.close(), hidden.close()]);
});

const refusal = async (name: string, args: Values): Promise<string> => {
  const { success, output } = await tools.call(name, args);
  expect(success, output).toBe(false);
  return output;
};

describe('json_format', () => {
  const json = { b: [1, { name: 'x' }], a: 'ü' };
  it('formats, parses and picks', async () => {
    const value = { value: json };
    const pretty = JSON.stringify(json, null, 2);
    expect(await tools.json('json_format', { json })).toEqual({ ...value, text: pretty });
    const text = JSON.stringify(json);
    expect(await tools.json('json_format', { json: pretty, operation: 'minify' })).toEqual({
      ...value,
      text,
    });
    expect(await tools.json('json_format', { json: text, operation: 'parse' })).toMatchObject(
      value,
    );
    const pick = (path: string) =>
      tools.json('json_format', { json: text, operation: 'pick', path });
    expect(await pick('b[1].name')).toEqual({ value: 'x', text: '"x"' });
    expect(await pick('b.0')).toEqual({ value: 1, text: '1' });
    expect(await pick('')).toMatchObject(value);
    expect(await pick('["a"]')).toMatchObject({ value: 'ü' });
  });

  it('reports what is wrong with its input', async () => {
    expect(await refusal('json_format', { json: '{"a":' })).toMatch(
      /^The text is not valid JSON: /,
    );
    const deep = '['.repeat(100_000);
    expect(await refusal('json_format', { json: deep })).toMatch(/nested deeper/);
    const pick = { json: { a: 1 }, operation: 'pick' };
    expect(await refusal('json_format', { ...pick, path: 'b' })).toMatch(/b does not exist/);
    expect(await refusal('json_format', { ...pick, path: 'toString' })).toMatch(
      /toString does not exist/,
    );
    expect(await refusal('json_format', { ...pick, path: 'a b' })).toMatch(/not a valid reference/);
  });
});

it('text_template inserts values once, and leaves placeholders without a value unchanged', async () => {
  const write = (template: string, values: unknown) =>
    tools.json('text_template', { template, values });
  expect(await write('Dear {{ name }}: {{n}} {{list}}', { name: 'Zoë', n: 5, list: [1] })).toEqual({
    text: 'Dear Zoë: 5 [1]',
    missing: [],
  });
  const rows = [
    { name: 'a', value: '{{b}} $& $1' },
    { name: 'b', value: { c: [7] } },
  ];
  expect(await write('{{a}} {{b.c[0]}}', rows)).toEqual({ text: '{{b}} $& $1 7', missing: [] });
  expect(await write('{{who}} {{constructor}} {{a.x}}', { a: { y: 1 } })).toEqual({
    text: '{{who}} {{constructor}} {{a.x}}',
    missing: ['who', 'constructor', 'a.x'],
  });
});

it.each<[unknown, string, unknown, boolean]>([
  [{ a: [1] }, 'equals', { a: [1] }, true],
  ['1', 'equals', 1, false],
  ['1', 'not_equals', 1, true],
  ['10', 'greater', 9, true],
  ['b', 'greater', 'a', true],
  [3, 'greater_or_equal', 3, true],
  [3, 'less', 3, false],
  [{}, 'less', 3, false],
  [3, 'less_or_equal', 3, true],
  ['haystack', 'contains', 'st', true],
  [[1, [2]], 'contains', [2], true],
  [null, 'contains', 'x', false],
  ['haystack', 'starts_with', 'hay', true],
  [['a', 'b'], 'starts_with', 'b', false],
  ['haystack', 'ends_with', 'stack', true],
  [['a', 'b'], 'ends_with', 'b', true],
  ['', 'is_empty', undefined, true],
  [[], 'is_empty', undefined, true],
  [0, 'is_empty', undefined, false],
  [undefined, 'is_empty', undefined, true],
  [{ a: 1 }, 'is_not_empty', undefined, true],
])('condition: %j %s %j is %s', async (left, operator, right, value) => {
  const args = JSON.parse(JSON.stringify({ left, operator, right })) as Values;
  expect(await tools.json('condition', args)).toEqual({ value });
});

describe('delay', () => {
  it('waits, at most an hour', async () => {
    const started = performance.now();
    expect(await tools.json('delay', { seconds: 0.05 })).toEqual({ waited: 0.05 });
    expect(performance.now() - started).toBeGreaterThanOrEqual(45);
    expect(await refusal('delay', { seconds: 3_601 })).toMatch(/seconds must be at most 3600/);
  });

  it('ends when the call is cancelled', async () => {
    const cancel = new AbortController();
    const pending = tools.call('delay', { seconds: 3_600 }, { signal: cancel.signal });
    cancel.abort();
    expect(await pending).toMatchObject({ success: false, output: 'The call was cancelled.' });
  });
});

it('confirm_send requires approval by its effect, and does nothing else', async () => {
  expect((await tools.catalog.find('confirm_send'))?.effect).toBe('external');
  expect(await tools.json('confirm_send', { title: 'Mail', summary: 'To Zoë' })).toEqual({
    confirmed: true,
  });
  expect(await refusal('confirm_send', { title: 'Mail' })).toMatch(/summary/);
});

it('notify creates a notification, and reports an invalid one', async () => {
  notifications.length = 0;
  expect(await tools.json('notify', { title: 'Done', level: 'success', link: '/runs' })).toEqual({
    id: '1',
  });
  expect(notifications).toEqual([
    { source: 'agent', title: 'Done', level: 'success', link: '/runs' },
  ]);
  expect(await refusal('notify', { title: 'x', link: 'javascript:1' })).toMatch(
    /^The link must be/,
  );
  expect(notifications).toHaveLength(1);
});

describe('http_get and http_request', () => {
  const send = (args: Values) =>
    tools.json('http_request', { url: `${server.base}/json`, ...args });

  it('have the effects read and external', async () => {
    expect((await tools.catalog.find('http_get'))?.effect).toBe('read');
    expect((await tools.catalog.find('http_request'))?.effect).toBe('external');
    expect(await refusal('http_get', { url: server.base, method: 'POST' })).toMatch(/method/);
  });

  it('return JSON as a value, and everything else as text', async () => {
    const url = `${server.base}/json`;
    const answer = await tools.json('http_get', { url, headers: [{ name: 'X-A', value: 'b' }] });
    expect(answer).toMatchObject({ status: 200, url, body: { a: [1, 2] } });
    expect(answer['headers']).toMatchObject({ 'content-type': 'application/json' });
    expect(asked.at(-1)).toMatchObject({ method: 'GET', headers: { 'x-a': 'b' } });
    const text = await tools.json('http_get', { url: `${server.base}/text` });
    expect(text['body']).toBe('{"a":1}');
    expect(await tools.json('http_get', { url, method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
    });
    expect(asked.at(-1)?.method).toBe('HEAD');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('send the given body with %s', async (method) => {
    expect(await send({ method, body: { a: 'ü' } })).toMatchObject({ status: 200 });
    expect(asked.at(-1)).toMatchObject({
      method,
      body: '{"a":"ü"}',
      headers: { 'content-type': 'application/json' },
    });
    await send({ method, body: 'plain', headers: { 'Content-Type': 'text/x', Host: 'evil' } });
    const last = asked.at(-1);
    expect(last).toMatchObject({ method, body: 'plain', headers: { 'content-type': 'text/x' } });
    expect(last?.headers['host']).not.toBe('evil');
  });

  it('follow a redirect only as far as the method allows', async () => {
    await tools.json('http_request', { url: `${server.base}/moved`, method: 'POST', body: 'x' });
    expect(asked.at(-1)).toMatchObject({ method: 'GET', url: '/json', body: '' });
    await tools.json('http_request', { url: `${server.base}/moved`, method: 'PUT', body: 'x' });
    expect(asked.at(-1)).toMatchObject({ method: 'PUT', url: '/json', body: 'x' });
  });

  it('fail with the response of the server, and refuse private addresses, large bodies and invalid headers', async () => {
    const broken = await tools.call('http_get', { url: `${server.base}/broken` });
    expect(broken.success).toBe(false);
    expect(JSON.parse(broken.output)).toMatchObject({ status: 500, body: 'no' });
    for (const url of [`${hidden.base}/`, `${server.base}/away`, 'http://169.254.169.254/'])
      expect(await refusal('http_get', { url })).toMatch(/not allowed/);
    expect(await refusal('http_request', { method: 'POST', url: `${server.base}/away` })).toMatch(
      /not allowed/,
    );
    expect(await refusal('http_get', { url: `${server.base}/large` })).toMatch(/5 MiB/);
    const headers = { 'X-A': 'b\r\nX-Evil: 1' };
    expect(await refusal('http_get', { url: server.base, headers })).toMatch(
      /The header X-A contains/,
    );
  });
});
