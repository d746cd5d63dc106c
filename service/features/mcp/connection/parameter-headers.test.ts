import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text as textOfStream } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { addUntil, callTool, catalogNames, removeServer } from '../../../testing/mcp/mcp-host.ts';
import { nodeServer, remoteServer } from '../../../testing/mcp/real-servers.ts';
import { startTestHost, type TestHost } from '../../../testing/test-host.ts';
import { serveWeb, type WebServer } from '../../../testing/web-server.ts';
import { textOf } from '../../../messages/index.ts';
import { parameterHeaderProblem } from './parameter-headers.ts';

const listing = join(import.meta.dirname, '../../../testing/mcp/listing-server.mjs');
const region = { type: 'string', 'x-mcp-header': 'Region' };
const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  ...more,
});

describe('an annotation that repeats an argument in a header', () => {
  it.each([
    ['is of one of the three simple types', object({ region })],
    ['lies in objects in objects', object({ place: object({ region }) })],
    ['is the name of an argument, which is none', object({ 'x-mcp-header': { type: 'number' } })],
    ['is part of a value, which is none', object({}, { default: { 'x-mcp-header': '' } })],
    [
      'has another name than the others',
      object({ region, zone: { ...region, 'x-mcp-header': 'Zone' } }),
    ],
  ])('is accepted if it %s', (_, schema) => {
    expect(parameterHeaderProblem(schema)).toBeNull();
  });

  it.each([
    ['an empty name', object({ region: { ...region, 'x-mcp-header': '' } }), 'a header name'],
    [
      'a name with a space',
      object({ region: { ...region, 'x-mcp-header': 'My Region' } }),
      'a header name',
    ],
    [
      'a name with a line break',
      object({ region: { ...region, 'x-mcp-header': 'A\r\nB' } }),
      'a header name',
    ],
    [
      'a name that is no text',
      object({ region: { ...region, 'x-mcp-header': 5 } }),
      'a header name',
    ],
    [
      'a name used twice',
      object({ region, other: { ...region, 'x-mcp-header': 'REGION' } }),
      'more than once',
    ],
    ['an argument that is a number', object({ region: { ...region, type: 'number' } }), 'integer'],
    ['an argument that is an object', object({ region: { ...region, type: 'object' } }), 'integer'],
    ['an argument of no type', object({ region: { 'x-mcp-header': 'Region' } }), 'integer'],
    ['the schema itself', object({}, { 'x-mcp-header': 'All' }), 'no argument'],
    ['the items of a list', object({ regions: { type: 'array', items: region } }), 'through'],
    ['one of several shapes', object({}, { anyOf: [object({ region })] }), 'through'],
    ['a condition', object({}, { if: object({ region }) }), 'through'],
    ['a definition', object({}, { $defs: { region } }), 'through'],
    ['further arguments', object({}, { additionalProperties: region }), 'through'],
  ])('is refused with %s', (_, schema, why) => {
    expect(textOf(parameterHeaderProblem(schema) ?? '')).toContain(why);
  });
});

const tools = [
  { name: 'good', inputSchema: object({ region }) },
  { name: 'plain', inputSchema: object({ region: { type: 'string' } }) },
  { name: 'bad', inputSchema: object({ region: { ...region, 'x-mcp-header': 'My Region' } }) },
];

describe('a server whose tools repeat arguments in headers', () => {
  let host: TestHost;
  let web: WebServer;
  const headers: (string | undefined)[] = [];
  beforeAll(async () => {
    host = await startTestHost();
    web = await serveWeb((req, res) => {
      void textOfStream(req).then((body) => {
        if (req.method !== 'POST') return res.writeHead(405).end();
        const asked = JSON.parse(body) as { id?: number; method: string };
        if (asked.method === 'tools/call')
          headers.push(req.headers['mcp-param-region'] as string | undefined);
        return answer(res, asked);
      });
    });
  });
  afterAll(async () => {
    await host.close();
    await web.close();
  });

  it('is used without invalid ones, which its log and its state name', async () => {
    const endpoint = { transport: 'STREAMABLE_HTTP', url: `${web.base}/mcp` } as const;
    const view = await addUntil(host, remoteServer(endpoint, { name: 'web' }));
    expect(view.protocolVersion).toBe('2026-07-28');
    expect(view.tools.map(({ name }) => name)).toEqual(['good', 'plain']);
    expect(view.error).toMatch(/^1 tool is left out as invalid: “bad”: .*region/);
    const log = await host.client.call(api.mcp.logs, { params: { id: view.id } });
    expect(log).toContainEqual(expect.objectContaining({ level: 'WARN', message: view.error }));
    expect(await catalogNames(host)).not.toContain('mcp__web__bad');
    await callTool(host, view.id, 'good', { region: 'us-west1' });
    await callTool(host, view.id, 'plain', { region: 'us-west1' });
    expect(headers).toEqual(['us-west1', undefined]);
    await removeServer(host, view.id);
  });

  it.each(['legacy', 'modern'])(
    'keeps them if it is a local program, which has no headers (%s)',
    async (era) => {
      const view = await addUntil(
        host,
        nodeServer(listing, [JSON.stringify({ tools }), era], { name: 'program' }),
      );
      expect(view.tools.map(({ name }) => name)).toEqual(['good', 'plain', 'bad']);
      expect(view.error).toBeUndefined();
      await removeServer(host, view.id);
    },
  );
});

/** Answers as a server of MCP 2026-07-28. */
function answer(res: ServerResponse, { id, method }: { id?: number; method: string }): void {
  if (id === undefined) return void res.writeHead(202).end();
  const cached = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  const results: Record<string, object> = {
    'server/discover': {
      ...cached,
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name: 'web', version: '1' },
    },
    'tools/list': { ...cached, tools },
    'tools/call': { resultType: 'complete', content: [{ type: 'text', text: 'done' }] },
  };
  const result = results[method];
  const outcome = result ? { result } : { error: { code: -32_601, message: 'No such method.' } };
  res.writeHead(200, { 'Content-Type': 'application/json' });
  res.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
}
