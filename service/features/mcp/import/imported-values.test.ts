import { expect, it } from 'vitest';
import { api, type McpDefinition } from '../../../contract/index.ts';
import { callTool, textOf, untilState } from '../../../testing/mcp/mcp-host.ts';
import { realServer } from '../../../testing/mcp/real-servers.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { serveWeb } from '../../../testing/web-server.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const host = await useForFile(startTestHost());

const take = (mcpServers: Record<string, unknown>) =>
  host.client.call(api.mcp.import, { body: { mcpServers } });

it('a server gets the variables in the document, with their defaults and nothing of the host', async () => {
  const { command, args } = realServer('everything', [], { name: 'every' });
  const env = {
    KEY: 'a key',
    LIMIT: 10,
    VERBOSE: true,
    TOKEN: '${TOKEN:-abc}',
    SEARCH: '${PATH}',
    OTHER: '${PATH:-none}',
  };
  await take({ every: { command, args, env } });
  const [view] = await host.client.call(api.mcp.list);
  await untilState(host, view!.id, 'CONNECTED');
  const environment = JSON.parse(textOf(await callTool(host, view!.id, 'get-env'))) as unknown;
  expect(environment).toMatchObject({
    KEY: 'a key',
    LIMIT: '10',
    VERBOSE: 'true',
    TOKEN: 'abc',
    SEARCH: '${PATH}',
    OTHER: 'none',
  });
});

it('a server receives the headers in the document', async () => {
  const keys: unknown[] = [];
  const web = await serveWeb((request, response) => {
    keys.push(request.headers['x-key']);
    response.writeHead(500).end();
  });
  await take({ far: { url: `${web.base}/mcp`, headers: { 'X-Key': 'a key' } } });
  await expect.poll(() => keys.length).toBeGreaterThan(0);
  await web.close();
  expect(new Set(keys)).toEqual(new Set(['a key']));
});

it('the answer of a preview cannot be stored by mistake as if it contained the secrets', async () => {
  const answer = await host.client.call(api.mcp.import, {
    query: { dryRun: 'true' },
    body: { mcpServers: { shown: { command: 'x', env: { KEY: 'a key' } } } },
  });
  const [previewed] = 'servers' in answer ? answer.servers : [];
  expect(previewed).toMatchObject({ env: { KEY: null } });
  await expect(
    host.client.call(api.mcp.create, { body: previewed as McpDefinition }),
  ).rejects.toMatchObject({ problem: { status: 400, errors: [{ path: 'env.KEY' }] } });
});
