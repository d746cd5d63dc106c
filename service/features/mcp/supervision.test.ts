import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type Problem } from '../../contract/index.ts';
import { type ChatHost, startChatHost, textOf as saidIn } from '../../testing/chat-host.ts';
import { hostileServer } from '../../testing/mcp/hostile-servers.ts';
import {
  addServer,
  addUntil,
  callTool,
  catalogNames,
  removeServer,
  showServer,
  textOf,
  untilState,
} from '../../testing/mcp/mcp-host.ts';
import {
  freePort,
  realServer,
  remoteServer,
  startEverything,
  serversUnder,
} from '../../testing/mcp/real-servers.ts';
import { useEverything } from '../../testing/mcp/use-everything.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { inChinese } from '../../testing/in-chinese.ts';

/** Calls to a dead server wait longer, however it died. */
const waitedForMs = 15_000;

let host: ChatHost;
beforeAll(async () => {
  host = await startChatHost();
});
afterAll(() => host.close());

const longCall = (id: string): Promise<unknown> =>
  callTool(host, id, 'trigger-long-running-operation', { duration: 60, steps: 60 });
const failure = (detail: RegExp): object => ({
  problem: { status: 502, code: 'mcp_failed', detail: expect.stringMatching(detail) as unknown },
});
const pidOf = async (id: string): Promise<number> =>
  Number(textOf(await callTool(host, id, 'pid')));
/** The result of a call and its time after `since`. */
async function outcome(call: Promise<unknown>): Promise<{ at: number; error: unknown }> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { at: performance.now(), error };
}

describe('a program that is killed during a call', () => {
  it('fails that call within a second with its reason, and the next one works', async () => {
    const { id } = await addUntil(host, hostileServer('good', { name: 'killed' }));
    for (const _ of [1, 2]) {
      const pid = await pidOf(id);
      const hanging = outcome(callTool(host, id, 'hang'));
      // A later call has been answered, so the earlier one is running.
      await callTool(host, id, 'echo', { message: 'x' });
      const killedAt = performance.now();
      process.kill(pid, 'SIGKILL');
      const { at, error } = await hanging;
      expect(at - killedAt).toBeLessThan(1_000);
      expect(error).toMatchObject(failure(/was lost: it was ended by SIGKILL/));
      expect(textOf(await callTool(host, id, 'echo', { message: 'y' }))).toBe('Echo: y');
      expect(await pidOf(id)).not.toBe(pid);
    }
    await removeServer(host, id);
  });

  it('is restarted without waiting for a call, and keeps its tools meanwhile', async () => {
    const { id, tools } = await addUntil(host, hostileServer('good', { name: 'restarted' }));
    const pid = await pidOf(id);
    process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await showServer(host, id)).state).not.toBe('CONNECTED');
    const away = await showServer(host, id);
    expect(away).toMatchObject({ state: 'DEGRADED', tools });
    expect(away.error).toMatch(/^The connection was lost: it was ended by SIGKILL/);
    expect(inChinese(away.errorMessage)).toBe('连接已断开：它被 SIGKILL 结束。正在重新连接……');
    expect(await catalogNames(host)).toContain('mcp__restarted__echo');
    expect((await untilState(host, id, 'CONNECTED')).error).toBeUndefined();
    expect(await pidOf(id)).not.toBe(pid);
    await removeServer(host, id);
  });
});

describe.each(['STREAMABLE_HTTP', 'SSE'] as const)('a server over %s', (transport) => {
  it('that is killed during a call fails it at once, and is used again when it is back', async () => {
    const server = await useEverything(transport);
    const name = transport === 'SSE' ? 'sse' : 'http';
    const { id } = await addUntil(host, remoteServer(server, { name }));
    const hanging = outcome(longCall(id));
    await callTool(host, id, 'echo', { message: 'x' });
    const killedAt = performance.now();
    await server.kill();
    const { at, error } = await hanging;
    expect(at - killedAt).toBeLessThan(5_000);
    expect(error).toMatchObject(failure(/was lost/));
    await expect.poll(async () => (await showServer(host, id)).state).toBe('DEGRADED');
    await expect(callTool(host, id, 'echo', { message: 'x' })).rejects.toMatchObject({
      problem: { status: 502, code: 'mcp_failed' },
    });

    await useEverything(transport, server.port);
    expect(textOf(await callTool(host, id, 'echo', { message: 'back' }))).toBe('Echo: back');
    await untilState(host, id, 'CONNECTED');
    await removeServer(host, id);
  });

  it('that is added while unavailable is connected when it starts', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}${transport === 'SSE' ? '/sse' : '/mcp'}`;
    const name = transport === 'SSE' ? 'late-sse' : 'late-http';
    const { id, state, error } = await addServer(host, remoteServer({ transport, url }, { name }));
    expect(state).toBe('FAILED');
    expect(error).toMatch(/ECONNREFUSED/);
    await useEverything(transport, port);
    await untilState(host, id, 'CONNECTED');
    await removeServer(host, id);
  });
});

describe('a call', () => {
  it('ends when the time limit of its server is over, and the server is notified', async () => {
    const definition = hostileServer('good', { name: 'slow', callTimeoutSeconds: 0.3 });
    const { id } = await addUntil(host, definition);
    await expect(callTool(host, id, 'hang')).rejects.toMatchObject({
      problem: { status: 504, code: 'mcp_timeout' },
    });
    expect(textOf(await callTool(host, id, 'echo', { message: 'x' }))).toBe('Echo: x');
    await removeServer(host, id);
  });

  it('distinguishes protocol errors from failed tools', async () => {
    const { id } = await addUntil(host, hostileServer('good', { name: 'errors' }));
    await expect(callTool(host, id, 'error')).rejects.toMatchObject({
      problem: {
        status: 502,
        code: 'mcp_failed',
        rpcCode: -32050,
        detail: 'The MCP server errors answered with an error: I will not.',
      },
    });
    const refused = callTool(host, id, 'refuse').catch((error: unknown) => error);
    const { problem } = (await refused) as { problem: Problem };
    expect(problem.detail).toBe(
      'The MCP server errors answered with an error: Query failed: No such row.',
    );
    expect(inChinese(problem.message)).toBe(
      'MCP 服务器 errors 返回错误：Query failed: No such row.',
    );
    expect(problem.details).toContain('"rows":[{"id":7}]');
    expect(problem.details).toContain('Query failed: {');
    expect(await callTool(host, id, 'badly')).toEqual({
      content: [{ type: 'text', text: 'It went wrong.' }],
      isError: true,
    });
    await removeServer(host, id);
  });
});

describe('tools announced by a server', () => {
  it('are soon in the catalog', async () => {
    const { id } = await addUntil(host, hostileServer('good', { name: 'growing' }));
    expect(await catalogNames(host)).not.toContain('mcp__growing__grown-0');
    await callTool(host, id, 'grow');
    await expect.poll(() => catalogNames(host)).toContain('mcp__growing__grown-0');
    await callTool(host, id, 'grow');
    await expect.poll(() => catalogNames(host)).toContain('mcp__growing__grown-1');
    await removeServer(host, id);
  });
});

describe('ten servers that are dead or hang', () => {
  it('delay neither the start of the host nor its answers', async () => {
    const modes = ['dies', 'mute', 'hang-list', 'no-initialize', 'stays'];
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/mcp`;
    const definitions = [
      ...modes.map((mode) => hostileServer(mode, { name: `bad-${mode}` })),
      ...modes.map((_, index) =>
        remoteServer(
          { transport: index % 2 ? 'SSE' : 'STREAMABLE_HTTP', url },
          { name: `r-${index}` },
        ),
      ),
    ];
    await Promise.all(definitions.map((definition) => addServer(host, definition)));
    const healthy = async (): Promise<number> => {
      const before = performance.now();
      expect((await host.client.call(api.host.health)).status).toBe('ok');
      expect(saidIn(await host.sendMessage('hi'))).toBe('Hello.');
      return performance.now() - before;
    };
    expect(await healthy()).toBeLessThan(waitedForMs);

    await host.stop();
    const startedAt = performance.now();
    const again = await startTestHost({ workDirectory: host.workDirectory });
    expect(performance.now() - startedAt).toBeLessThan(waitedForMs);
    const views = await again.client.call(api.mcp.list);
    expect(views).toHaveLength(10);
    expect(views.some(({ state }) => state === 'CONNECTED')).toBe(false);
    const stoppedAt = performance.now();
    await again.stop();
    expect(performance.now() - stoppedAt).toBeLessThan(waitedForMs);
    host = await startChatHost({ workDirectory: host.workDirectory });
    for (const { id } of await host.client.call(api.mcp.list)) await removeServer(host, id);
  });
});

describe('connecting and disconnecting', () => {
  const descriptors = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
  const settledAt = async (limit: number): Promise<void> => {
    await expect.poll(descriptors).toBeLessThanOrEqual(limit);
  };

  it('two hundred times leaks no file handle and no memory', { timeout: 400_000 }, async () => {
    const remote = await startEverything('STREAMABLE_HTTP');
    const before = await startEverything('SSE');
    const stdio = await addUntil(host, hostileServer('good', { name: 'rounds' }));
    const http = await addUntil(host, remoteServer(remote, { name: 'http-rounds' }));
    const sse = await addUntil(host, remoteServer(before, { name: 'sse-rounds' }));
    const all = [stdio.id, http.id, sse.id];
    const again = async (id: string): Promise<void> => {
      const view = await host.client.call(api.mcp.test, { params: { id } });
      expect(view.state).toBe('CONNECTED');
    };
    const rounds = async (count: number): Promise<void> => {
      for (let round = 0; round < count; round += 1) await Promise.all(all.map(again));
    };
    await rounds(20);
    const [files, memory] = [await descriptors(), process.memoryUsage().rss];
    await rounds(180);
    await settledAt(files + 5);
    expect(process.memoryUsage().rss - memory).toBeLessThan(100 * 1024 ** 2);
    for (const id of all) await removeServer(host, id);
    for (const server of [remote, before]) await server.kill();
  });

  it('has at most one process for a server with many concurrent changes', async () => {
    const { id } = await addUntil(host, realServer('memory', [], { name: 'changed' }));
    const body = realServer('memory', [], { name: 'changed' });
    const params = { id };
    await Promise.all([1, 2, 3, 4].map(() => host.client.call(api.mcp.replace, { params, body })));
    await untilState(host, id, 'CONNECTED');
    await expect
      .poll(async () => (await serversUnder(process.pid, 'server-memory')).length)
      .toBe(1);
    await removeServer(host, id);
    await expect.poll(() => serversUnder(process.pid, 'server-memory')).toEqual([]);
  });
});
