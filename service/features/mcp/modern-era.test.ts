import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import {
  addUntil,
  callTool,
  catalogNames,
  textOf,
  untilState,
} from '../../testing/mcp/mcp-host.ts';
import { nodeServer } from '../../testing/mcp/real-servers.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const script = join(import.meta.dirname, '..', '..', 'testing', 'mcp', 'modern-server.mjs');

let id: string;
const host = await useForFile(startTestHost());

beforeAll(async () => {
  ({ id } = await addUntil(host, nodeServer(script, [], { name: 'modern' })));
});

describe('a server that supports only MCP 2026-07-28', () => {
  it('connects, answers calls, and has prompts and resources', async () => {
    const params = { id };
    expect(await untilState(host, id, 'CONNECTED')).toMatchObject({
      protocolVersion: '2026-07-28',
      serverInfo: { name: 'modern' },
    });
    expect(textOf(await callTool(host, id, 'echo', { message: 'hi' }))).toBe('Echo: hi');
    expect(await host.client.call(api.mcp.prompts, { params })).toMatchObject([{ name: 'greet' }]);
    expect(
      await host.client.call(api.mcp.getPrompt, { params, body: { name: 'greet', arguments: {} } }),
    ).toMatchObject({ messages: [{ content: { text: 'Hello.' } }] });
    expect(
      await host.client.call(api.mcp.readResource, { params, body: { uri: 'note://one' } }),
    ).toMatchObject({ contents: [{ text: 'A note.' }] });
  });

  it('announces new tools, which are soon in the catalog', async () => {
    await callTool(host, id, 'grow');
    await expect.poll(() => catalogNames(host)).toContain('mcp__modern__grown');
  });

  it('fails the call during which it is killed, and works with the next one', async () => {
    const pid = Number(textOf(await callTool(host, id, 'pid')));
    const hanging = callTool(host, id, 'hang').catch((error: unknown) => error);
    await callTool(host, id, 'echo', { message: 'x' });
    process.kill(pid, 'SIGKILL');
    expect(await hanging).toMatchObject({
      problem: { detail: expect.stringContaining('SIGKILL') as unknown },
    });
    expect(textOf(await callTool(host, id, 'echo', { message: 'again' }))).toBe('Echo: again');
  });
});
