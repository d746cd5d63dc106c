import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import {
  addServer,
  addUntil,
  callTool,
  removeServer,
  showServer,
  textOf,
} from '../../testing/mcp/mcp-host.ts';
import { measureLoop } from '../../testing/mcp/measure-loop.ts';
import { remoteServer } from '../../testing/mcp/real-servers.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { serveWeb, type WebServer } from '../../testing/web-server.ts';

interface Asked {
  id?: number | string;
  method?: string;
  params?: { name?: string };
}
type Answer = (res: ServerResponse, asked: Asked) => unknown;

let host: TestHost;
let web: WebServer;
let answer: Answer;
beforeAll(async () => {
  host = await startTestHost();
  web = await serveWeb((req, res) => {
    const chunks: Buffer[] = [];
    res.on('error', () => undefined);
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      answer(res, text === '' ? {} : (JSON.parse(text) as Asked));
    });
  });
});
afterEach(async () => {
  for (const { id } of await host.client.call(api.mcp.list)) {
    const removedAt = performance.now();
    await removeServer(host, id);
    expect(performance.now() - removedAt).toBeLessThan(3_000);
  }
});
afterAll(async () => {
  await host.close();
  await web.close();
});

const address = (transport: 'SSE' | 'STREAMABLE_HTTP') => ({ transport, url: `${web.base}/mcp` });
const define = (transport: 'SSE' | 'STREAMABLE_HTTP' = 'STREAMABLE_HTTP') =>
  remoteServer(address(transport), { name: 'remote' });
const json = (res: ServerResponse, message: object): void => {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  res.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
};
const events = (res: ServerResponse): ServerResponse =>
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
const event = (message: object): string =>
  `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
const text = (content: string): object => ({ content: [{ type: 'text', text: content }] });

/** A correct server; `call` answers its calls, and `stream` its GET requests. */
const good =
  (call: Answer, stream: Answer = (res) => res.writeHead(405).end()): Answer =>
  (res, asked) => {
    const { id, method } = asked;
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'web', version: '1' },
      },
      'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
      ping: {},
    };
    if (method === undefined) return stream(res, asked);
    if (method === 'tools/call') return call(res, asked);
    const result = results[method];
    if (result) return json(res, { id, result });
    if (id === undefined) return res.writeHead(202).end();
    return json(res, { id, error: { code: -32601, message: 'Method not found' } });
  };

describe('a remote server that misbehaves', () => {
  it.each(['STREAMABLE_HTTP', 'SSE'] as const)(
    'over %s by never answering stays in the connecting state, and can be removed at once',
    async (transport) => {
      answer = (res) => (transport === 'SSE' ? events(res).flushHeaders() : undefined);
      expect((await addServer(host, define(transport))).state).toBe('CONNECTING');
      expect((await host.client.call(api.host.health)).status).toBe('ok');
    },
  );

  it.each([
    [
      'not found',
      (res: ServerResponse) => res.writeHead(404).end('nothing here'),
      /nothing here|404/,
    ],
    ['broken', (res: ServerResponse) => res.destroy(), /./],
    ['no MCP', (res: ServerResponse) => res.writeHead(200).end('<html>'), /./],
    [
      'behind a gateway that answers with a page',
      (res: ServerResponse) =>
        res
          .writeHead(502, { 'Content-Type': 'text/html' })
          .end('<!DOCTYPE html><html><title>502 Bad Gateway</title><body>x</body></html>'),
      /^[^<>{}]*502[^<>{}]*$/,
    ],
    [
      'refusing with data',
      (res: ServerResponse) => res.writeHead(500).end('{"error":{"message":"Out of order."}}'),
      /^[^{}]*(?:Out of order\.|500)[^{}]*$/,
    ],
    ['wants a sign-in', (res: ServerResponse) => res.writeHead(401).end(), /sign in/],
  ])('because it is %s reports it in its state', async (_, reply, why) => {
    answer = reply;
    for (const transport of ['STREAMABLE_HTTP', 'SSE'] as const) {
      const { id } = await addServer(host, define(transport));
      await expect.poll(async () => (await showServer(host, id)).error).toMatch(why);
      expect((await showServer(host, id)).state).toMatch(/^(?:FAILED|NEEDS_AUTH)$/);
      await removeServer(host, id);
    }
  });

  it('by answering with 1 GB fails only that call, without using the memory', async () => {
    answer = good((res, { id, params }) => {
      if (params?.name === 'echo') return json(res, { id, result: text('small') });
      res.writeHead(200, { 'Content-Type': 'application/json' });
      const chunk = Buffer.alloc(1024 ** 2, 'x');
      let remaining = 1024;
      const pour = (): void => {
        while (remaining-- > 0 && !res.destroyed)
          if (!res.write(chunk)) return void res.once('drain', pour);
        res.end();
      };
      pour();
    });
    const { id } = await addUntil(host, define());
    const before = process.memoryUsage().rss;
    await expect(callTool(host, id, 'giant')).rejects.toMatchObject({
      problem: { status: 502, detail: expect.stringContaining('32 MiB') as unknown },
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2);
    expect(textOf(await callTool(host, id, 'echo'))).toBe('small');
  });

  it.each(['JSON', 'a stream'] as const)(
    'by answering %s with more values, or levels, than can be parsed fails that call alone',
    async (form) => {
      const heavy: Record<string, () => string> = {
        many: () => Array(4_000_000).fill('{}').join(','),
        deep: () => '['.repeat(100_000) + ']'.repeat(100_000),
      };
      answer = good((res, { id, params }) => {
        const parts = heavy[params?.name ?? ''];
        if (!parts) return json(res, { id, result: text('there') });
        const message = `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":[${parts()}]}}}`;
        if (form === 'a stream') return events(res).end(`: ]]]]"\n\ndata: ${message}\n\n`);
        return res.writeHead(200, { 'Content-Type': 'application/json' }).end(message);
      });
      const { id } = await addUntil(host, define());
      const loop = measureLoop();
      for (const tool of ['many', 'deep'])
        await expect(callTool(host, id, tool)).rejects.toMatchObject({
          problem: { status: 502, code: 'mcp_failed' },
        });
      expect(loop.end().longestMs).toBeLessThan(1_000);
      expect(textOf(await callTool(host, id, 'echo'))).toBe('there');
    },
  );

  it('by repeated, late and unrequested answers changes nothing', async () => {
    const late: (() => void)[] = [];
    answer = good(
      (res, { id, params }) => {
        const firstEvent = event({ id, result: text('first') });
        if (params?.name === 'late') return void late.push(() => events(res).end(firstEvent));
        const others = [987_654, 'never', Number(id) - 1].map((other) =>
          event({ id: other, result: text('nobody asked') }),
        );
        const second = event({ id, result: text('second') });
        events(res).end([...others, firstEvent, second, firstEvent].join(''));
      },
      (res) => events(res).write(event({ id: 1, result: text('nobody asked') })),
    );
    const { id } = await addUntil(host, { ...define(), callTimeoutSeconds: 0.3 });
    for (const _ of [1, 2, 3]) {
      expect(textOf(await callTool(host, id, 'echo'))).toBe('first');
      await expect(callTool(host, id, 'late')).rejects.toMatchObject({
        problem: { code: 'mcp_timeout' },
      });
      for (const respond of late.splice(0)) respond();
    }
    expect((await showServer(host, id)).state).toBe('CONNECTED');
  });

  it('by breaking off its answer fails that call at once, although it is still connected', async () => {
    answer = good((res, { id, params }) => {
      if (params?.name === 'echo') return json(res, { id, result: text('there') });
      events(res).write(': a comment\n\n');
      if (params?.name === 'ends') res.end();
      else setImmediate(() => res.destroy());
    });
    const { id } = await addUntil(host, define());
    for (const tool of ['ends', 'breaks']) {
      const sentAt = performance.now();
      await expect(callTool(host, id, tool)).rejects.toMatchObject({
        problem: { status: 502, code: 'mcp_failed' },
      });
      expect(performance.now() - sentAt).toBeLessThan(5_000);
    }
    expect(textOf(await callTool(host, id, 'echo'))).toBe('there');
    expect((await showServer(host, id)).state).toBe('CONNECTED');
  });

  it('by flooding notifications is read slowly, without delaying others', async () => {
    answer = good(
      (res, { id }) => json(res, { id, result: text('there') }),
      (res) => {
        events(res);
        const many = event({ method: 'notifications/tools/list_changed' }).repeat(500);
        const pour = (): void => {
          while (!res.destroyed && res.write(many));
          if (!res.destroyed) res.once('drain', pour);
        };
        pour();
      },
    );
    const { id } = await addUntil(host, define());
    const loop = measureLoop();
    for (let round = 0; round < 20; round += 1) {
      expect((await host.client.call(api.host.health)).status).toBe('ok');
      expect(textOf(await callTool(host, id, 'echo'))).toBe('there');
    }
    expect(loop.end().longestMs).toBeLessThan(1_000);
  });

  it('by forgetting its session is reconnected', async () => {
    let isForgotten = false;
    const call: Answer = (res, { id }) =>
      isForgotten ? res.writeHead(404).end() : json(res, { id, result: text('there') });
    const remembering = good(call);
    answer = (res, asked) => {
      if (asked.method === 'initialize') isForgotten = false;
      return isForgotten && asked.method === 'ping'
        ? res.writeHead(404).end()
        : remembering(res, asked);
    };
    const { id } = await addUntil(host, define());
    isForgotten = true;
    await expect(callTool(host, id, 'echo')).rejects.toMatchObject({ problem: { status: 502 } });
    await expect
      .poll(async () => callTool(host, id, 'echo').then(textOf, () => 'not yet'))
      .toBe('there');
  });
});
