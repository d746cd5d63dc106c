import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { hostileServer } from '../../testing/mcp/hostile-servers.ts';
import {
  addServer,
  addUntil,
  callTool,
  catalogNames,
  showServer,
  textOf,
  untilState,
} from '../../testing/mcp/mcp-host.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { measureLoop } from '../../testing/mcp/measure-loop.ts';
import { useForFile } from '../../testing/use-for-file.ts';

let good: string;
const host = await useForFile(startTestHost());

beforeAll(async () => {
  good = (await addUntil(host, hostileServer())).id;
});

const echo = async (id: string): Promise<string> =>
  textOf(await callTool(host, id, 'echo', { message: 'hi' }));

/** Expects that other servers and the host answer as before. */
async function allElseWorks(): Promise<void> {
  expect((await host.client.call(api.host.health)).status).toBe('ok');
  expect(await echo(good)).toBe('Echo: hi');
}

const megabyte = 1024 ** 2;
const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

describe('a server that misbehaves', () => {
  it.each([
    ['dies', 'FAILED', /was lost: it ended with exit code 4\./],
    ['giant', 'FAILED', /was lost: it sent a line over 32 MiB/],
    ['old-version', 'FAILED', /version is not supported: 1999-01-01/],
    ['other-version', 'FAILED', /other versions of the protocol than this host: 2031-01-01\./],
  ] as const)('and %s reports why in its state', async (mode, state, error) => {
    const loop = measureLoop();
    const { id } = await addServer(host, hostileServer(mode));
    await expect.poll(async () => (await showServer(host, id)).error).toMatch(error);
    expect((await showServer(host, id)).tools).toEqual([]);
    await expect.poll(async () => (await showServer(host, id)).state).toBe(state);
    await allElseWorks();
    await expect(callTool(host, id, 'echo')).rejects.toMatchObject({
      problem: { status: 502, code: 'mcp_failed' },
    });
    expect(loop.end().longestMs).toBeLessThan(1_000);
  });

  it.each(['exits-at-unknown', 'ignores-unknown', 'garbage', 'garbage-only'])(
    'but only %s is connected nevertheless',
    async (mode) => {
      const view = await addUntil(host, hostileServer(mode));
      expect(view.error).toBeUndefined();
      expect(await echo(view.id)).toBe('Echo: hi');
      await allElseWorks();
    },
  );

  it('by printing other text has it in its log', async () => {
    const { id } = await addUntil(host, hostileServer('garbage', { name: 'loud' }));
    const messages = async () =>
      (await host.client.call(api.mcp.logs, { params: { id } })).map(
        ({ level, message }) => `${level} ${message}`,
      );
    await expect
      .poll(messages)
      .toEqual(
        expect.arrayContaining(['WARN stdout: Starting up…', 'INFO a word on stderr']) as unknown,
      );
  });

  it.each([
    ['notifications', 'flood'],
    ['its stderr', 'chatter'],
  ])('by flooding %s stays connected, and costs the others little', async (_, mode) => {
    const before = process.memoryUsage().rss;
    const { id } = await addUntil(host, hostileServer(mode));
    const loop = measureLoop();
    const rounds: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const startedAt = performance.now();
      await allElseWorks();
      rounds.push(performance.now() - startedAt);
    }
    expect(median(rounds)).toBeLessThan(200);
    expect(await echo(id)).toBe('Echo: hi');
    expect(loop.end().longestMs).toBeLessThan(1_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * megabyte);
    await host.client.call(api.mcp.remove, { params: { id } });
    await allElseWorks();
  });

  it('by answering with 1 GB does not use the memory', async () => {
    const before = process.memoryUsage().rss;
    const { id } = await addServer(host, hostileServer('giant', { name: 'giant-2' }));
    await expect.poll(async () => (await showServer(host, id)).error).toMatch(/over 32 MiB/);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * megabyte);
    await host.client.call(api.mcp.remove, { params: { id } });
  });

  it.each(['mute', 'no-initialize', 'hang-list'])(
    'by being %s stays in the connecting state, and delays nothing',
    async (mode) => {
      const sentAt = performance.now();
      const view = await addServer(host, hostileServer(mode));
      expect(performance.now() - sentAt).toBeGreaterThan(1_900);
      expect(performance.now() - sentAt).toBeLessThan(5_000);
      expect(view.state).toBe('CONNECTING');
      await allElseWorks();
      const removedAt = performance.now();
      await host.client.call(api.mcp.remove, { params: { id: view.id } });
      expect(performance.now() - removedAt).toBeLessThan(4_000);
    },
  );

  it('by an endless list has as many tools as the limit allows, and reports it', async () => {
    const pages = await addUntil(host, hostileServer('pages'));
    expect(pages.tools.length).toBeGreaterThan(10);
    expect(pages.error).toMatch(/tools.*skipped/);
    const many = await addUntil(host, hostileServer('many'));
    expect(many.tools).toHaveLength(2_000);
    expect(many.error).toMatch(/more than 2,000 tools/);
    await host.client.call(api.mcp.remove, { params: { id: many.id } });
  });

  it('by a list larger than the memory has as much of it as the limit allows, and reports it', async () => {
    const before = process.memoryUsage().rss;
    const { id, tools, error } = await addUntil(host, hostileServer('fat'));
    expect(tools).toHaveLength(7);
    expect(error).toMatch(/more than .*16 Mi characters/);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * megabyte);
    await host.client.call(api.mcp.remove, { params: { id } });
  });

  it('by long descriptions has them shortened, and too large schemas left out [MCP-16]', async () => {
    const view = await addUntil(host, hostileServer('wordy'));
    expect(view.tools.find(({ name }) => name === 'wordy')?.description).toHaveLength(2_000);
    const tools = (await host.client.call(api.tools.list)).filter(({ name }) =>
      name.startsWith('mcp__wordy__'),
    );
    expect(tools.find(({ name }) => name === 'mcp__wordy__wordy')?.description.length).toBe(16_384);
    expect(tools.some(({ name }) => name.endsWith('__schema'))).toBe(false);
    expect(tools.some(({ name }) => name.endsWith('__echo'))).toBe(true);
  });

  it('by unusable tool names has them replaced by valid, distinct ones [MCP-16]', async () => {
    const view = await addUntil(host, hostileServer('names'));
    const names = (await catalogNames(host)).filter((name) => name.startsWith('mcp__names__'));
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('mcp__names__execute_command');
    expect(names).toHaveLength(7);
    expect(await echo(view.id)).toBe('Echo: hi');
  });

  it('by invalid tools has them left out and reported', async () => {
    const { id, tools, error } = await addUntil(host, hostileServer('odd'));
    expect(tools.map(({ name }) => name)).toEqual(['echo']);
    expect(error).toMatch(/2 tools are left out/);
    expect(await echo(id)).toBe('Echo: hi');
  });

  it('by repeated and unrequested answers changes nothing', async () => {
    expect(textOf(await callTool(host, good, 'twice'))).toBe('first');
    expect(textOf(await callTool(host, good, 'twice'))).toBe('first');
    expect(await echo(good)).toBe('Echo: hi');
  });

  it('by requesting roots gets an error', async () => {
    const answer = JSON.parse(textOf(await callTool(host, good, 'roots'))) as unknown;
    expect(answer).toMatchObject({ error: { code: -32601 } });
    await allElseWorks();
  });

  it('by answers that nobody waits for changes nothing', async () => {
    const definition = hostileServer('good', { name: 'late', callTimeoutSeconds: 0.2 });
    const { id } = await addUntil(host, definition);
    for (const _ of [1, 2]) {
      await expect(callTool(host, id, 'hang')).rejects.toMatchObject({
        problem: { code: 'mcp_timeout' },
      });
      expect(await echo(id)).toBe('Echo: hi');
    }
    expect(await showServer(host, id)).toMatchObject({ state: 'CONNECTED' });
    await host.client.call(api.mcp.remove, { params: { id } });
  });

  it('by crashing during a call fails that call with its reason', async () => {
    const { id } = await addUntil(host, hostileServer('crashes'));
    const sentAt = performance.now();
    await expect(callTool(host, id, 'crash')).rejects.toMatchObject({
      problem: {
        status: 502,
        code: 'mcp_failed',
        detail: expect.stringMatching(/exit code 7/) as unknown,
      },
    });
    expect(performance.now() - sentAt).toBeLessThan(1_000);
    expect(await echo(id)).toBe('Echo: hi');
    await untilState(host, id, 'CONNECTED');
  });
});
