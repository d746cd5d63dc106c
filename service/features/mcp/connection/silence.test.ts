import type { ServerResponse } from 'node:http';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { serveWeb, type WebServer } from '../../../testing/web-server.ts';
import { McpConnection } from './mcp-connection.ts';
import type { SessionLimits } from './mcp-session.ts';
import { StartLimiter } from './start-limiter.ts';
import { aServer } from '../../../testing/mcp/a-server.ts';

interface Asked {
  id?: number;
  method?: string;
  params?: { _meta?: { progressToken?: number } };
}

/** Returns true if the server answers its ping of that number; it answers calls only on request. */
let answersPing: (count: number) => boolean;
let pings: number;
let called: (Asked & { res: ServerResponse }) | undefined;
let web: WebServer;

beforeEach(async () => {
  pings = 0;
  called = undefined;
  answersPing = () => true;
  web = await serveWeb((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      if (req.method === 'POST') answer(res, JSON.parse(text) as Asked);
      else res.writeHead(405).end();
    });
  });
});
afterEach(() => web.close());

function answer(res: ServerResponse, asked: Asked): void {
  const { id, method } = asked;
  if (id === undefined) return void res.writeHead(202).end();
  if (method === 'ping') {
    pings += 1;
    if (!answersPing(pings)) return;
  }
  if (method === 'tools/call') {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    called = { ...asked, res };
    return;
  }
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'quiet', version: '1' },
    },
    'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
    ping: {},
  };
  const result = results[method ?? ''];
  res.writeHead(200, { 'Content-Type': 'application/json' });
  const error = { code: -32_601, message: 'Method not found' };
  res.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
}

const sendMessage = (message: object): void => {
  called?.res.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
};
const done = { content: [{ type: 'text', text: 'done' }] };

const limits: SessionLimits = {
  askEveryMs: 20,
  pingMs: 60,
  silentMs: 400,
  idlePingMs: 60_000,
};

/** A call in a session with short limits. */
async function calling(overrides: Partial<SessionLimits> = {}) {
  const server = { ...aServer('quiet', 'STREAMABLE_HTTP'), url: web.base };
  const transport = () => Promise.resolve(new StreamableHTTPClientTransport(new URL(web.base)));
  const connection = new McpConnection(server, {
    startLimiter: new StartLimiter(),
    transport,
    limits: { ...limits, ...overrides },
  });
  onTestFinished(() => connection.close());
  const session = await connection.ready(10_000);
  const startedAt = performance.now();
  const progressValues: number[] = [];
  const outcome = session
    .call(
      'work',
      {},
      {
        signal: new AbortController().signal,
        timeoutMs: 60_000,
        onProgress: ({ progress }) => progressValues.push(progress),
      },
    )
    .then(
      (result) => ({ result, error: null }),
      (error: unknown) => ({
        result: null,
        error: connection.toHostError(error, session.endReason),
      }),
    );
  const since = () => performance.now() - startedAt;
  return { outcome, since, heard: progressValues };
}

describe('a remote server in the middle of a call', () => {
  it('that goes silent is lost long before the time limit of the call', async () => {
    answersPing = () => false;
    const { outcome, since } = await calling();
    const { error } = await outcome;
    expect(error).toMatchObject({ kind: 'upstream-failed', code: 'mcp_failed' });
    expect(error?.message).toMatch(/it has sent nothing for .* did not answer a ping/);
    expect(since()).toBeGreaterThan(limits.silentMs);
    expect(since()).toBeLessThan(10_000);
  });

  it('that answers checks may take its time', async () => {
    const { outcome, since } = await calling();
    await expect.poll(since).toBeGreaterThan(3 * limits.silentMs);
    expect(pings).toBeGreaterThan(5);
    sendMessage({ id: called?.id, result: done });
    expect((await outcome).result).toEqual(done);
  });

  it('that is too busy for pings but reports progress is waited for', async () => {
    answersPing = () => false;
    const { outcome, since, heard: progressValues } = await calling();
    await expect.poll(() => called?.id).toBeDefined();
    const progressToken = called?.params?._meta?.progressToken;
    const telling = setInterval(() => {
      const params = { progressToken, progress: Math.round(since()) };
      sendMessage({ method: 'notifications/progress', params });
    }, 50);
    onTestFinished(() => clearInterval(telling));
    await expect.poll(since).toBeGreaterThan(3 * limits.silentMs);
    expect(progressValues.length).toBeGreaterThan(5);
    clearInterval(telling);
    sendMessage({ id: called?.id, result: done });
    expect((await outcome).result).toEqual(done);
  });

  it('that hangs for a moment and continues is not lost', async () => {
    answersPing = (count) => count > 3;
    const { outcome, since } = await calling();
    await expect.poll(since).toBeGreaterThan(2 * limits.silentMs);
    sendMessage({ id: called?.id, result: done });
    expect((await outcome).result).toEqual(done);
  });

  it('is not given up because of a ping during idle time', async () => {
    answersPing = () => false;
    const { outcome, since } = await calling({ idlePingMs: 50, silentMs: 60_000 });
    await expect.poll(since).toBeGreaterThan(500);
    sendMessage({ id: called?.id, result: done });
    expect((await outcome).result).toEqual(done);
  });
});
