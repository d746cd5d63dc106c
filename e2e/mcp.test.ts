import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Client } from '../service/client/index.ts';
import { api, type McpDefinition } from '../service/contract/index.ts';
import { hostileServer } from '../service/testing/mcp/hostile-servers.ts';
import { realServer } from '../service/testing/mcp/real-servers.ts';
import { processesOf } from '../service/testing/store/processes-of.ts';
import { type BuiltHost, createHosts } from './built-host.ts';

const hosts = createHosts();
afterEach(() => hosts.cleanUp());

/** Working servers, some that hang, and one that ignores the request to end. */
const definitions: McpDefinition[] = [
  ...Array.from({ length: 4 }, (_, index) =>
    realServer('everything', [], { name: `every-${index}` }),
  ),
  ...Array.from({ length: 4 }, (_, index) => hostileServer('good', { name: `good-${index}` })),
  hostileServer('stays'),
  ...['mute', 'hang-list', 'flood'].map((mode) => hostileServer(mode)),
];

/** Starts a host with servers, each with this text in its environment. */
async function startWithServers(marker: string): Promise<{ host: BuiltHost; client: Client }> {
  const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
  const client = await host.client();
  await Promise.all(
    definitions.map((one) =>
      client.call(api.mcp.create, { body: { ...one, env: { TEST_MARKER: marker } } }),
    ),
  );
  await expect
    .poll(async () => (await client.call(api.mcp.status)).connected)
    .toBeGreaterThanOrEqual(9);
  await expect.poll(async () => (await processesOf(marker)).length).toBe(definitions.length);
  return { host, client };
}

describe('MCP servers of a host', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('end after its %s, whatever they do', async (signal) => {
    const marker = `mcp-e2e-${process.pid}-${signal}`;
    const { host, client } = await startWithServers(marker);
    const views = await client.call(api.mcp.list);
    const { id } = views.find(({ name }) => name === 'good-0')!;
    const call = client
      .call(api.mcp.call, { params: { id }, body: { tool: 'hang', arguments: {} } })
      .catch(() => undefined);
    const sentAt = performance.now();
    host.child.kill(signal);
    const ended = await host.exited;
    if (signal === 'SIGTERM') {
      expect(ended).toEqual({ code: 0, signal: null });
      expect(performance.now() - sentAt).toBeLessThan(10_000);
      expect(host.stderr()).not.toContain('left behind');
    }
    await call;
    await expect.poll(() => processesOf(marker)).toEqual([]);
  });

  it('are read at launch from the file that a property names [MCP-15]', async () => {
    const workDirectory = await hosts.makeFolder();
    const file = join(workDirectory, 'servers.json');
    const { command, args } = realServer('everything', [], { name: 'x' });
    await writeFile(file, JSON.stringify({ mcpServers: { every: { command, args } } }));
    const property = `--spring.ai.mcp.client.stdio.servers-configuration=file:${file}`;
    const host = await hosts.start({
      args: ['--port=0', '--setup=SQLITE', property],
      workDirectory,
    });
    const client = await host.client();
    await expect
      .poll(async () =>
        (await client.call(api.mcp.list)).map(({ name, state }) => ({ name, state })),
      )
      .toEqual([{ name: 'every', state: 'CONNECTED' }]);
    const [view] = await client.call(api.mcp.list);
    const body = { tool: 'echo', arguments: { message: 'built' } };
    expect(await client.call(api.mcp.call, { params: { id: view!.id }, body })).toMatchObject({
      content: [{ text: 'Echo: built' }],
    });
  });
});
