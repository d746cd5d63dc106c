import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api, type McpServerView } from '../../../contract/index.ts';
import { type GitRepository, makeRepository } from '../../../testing/store/git-repository.ts';
import { addCatalog } from '../../../testing/store/local-catalog.ts';
import { startTestHost, type TestHost } from '../../../testing/test-host.ts';

const id = 'claude.acme.numbers';
const params = { id };
const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const userConfig = {
  api_key: { type: 'string', title: 'API key', description: 'Of the service', required: true },
  greeting: { type: 'string', title: 'Greeting', default: "it's; exit 3" },
};
const guard = {
  name: 'guard',
  type: 'command',
  command: "echo ${user_config.greeting} '${user_config.api_key}' >&2; exit 2",
};

let host: TestHost;
let repository: GitRepository;
beforeAll(async () => {
  host = await startTestHost();
  repository = await makeRepository({
    'numbers/.claude-plugin/plugin.json': JSON.stringify({ name: 'numbers', userConfig }),
    'numbers/.mcp.json': JSON.stringify({
      mcpServers: {
        calc: {
          command: process.execPath,
          args: [everything, 'stdio', '${user_config.api_key}'],
          env: { KEY: '${user_config.api_key}' },
        },
      },
    }),
    'numbers/hooks/hooks.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [guard] }] } }),
  });
  const source = { source: 'git-subdir', url: repository.url, path: 'numbers' };
  await addCatalog(host, 'acme', [{ name: 'numbers', source }]);
  await host.client.call(api.market.install, { params });
  await host.client.call(api.contributions.trust, { params });
});
afterAll(async () => {
  await host.close();
  await repository.close();
});

const servers = (): Promise<McpServerView[]> => host.client.call(api.mcp.list);
const environment = async (): Promise<string> => {
  const [server] = await servers();
  const answer = await host.client.call(api.mcp.call, {
    params: { id: server?.id ?? '' },
    body: { tool: 'get-env', arguments: {} },
  });
  return JSON.stringify(answer.content);
};
const states = async (): Promise<string[]> => (await servers()).map(({ state }) => state);

it('the settings required by a plugin from git are inserted into its MCP servers and hooks, which wait for them', async () => {
  expect(await host.client.call(api.plugins.config, { params })).toMatchObject({
    missing: ['api_key'],
  });
  expect(await servers()).toEqual([]);
  const hook = `plugin/${id}/guard`;
  expect(await host.client.call(api.hooks.test, { body: { hook } })).toMatchObject({
    decision: 'none',
    warning: expect.stringContaining('needs a value for API key (api_key)') as unknown,
  });

  const put = (body: Record<string, unknown>) =>
    host.client.call(api.plugins.setConfig, { params, body });
  await put({ api_key: 'first $(id)' });
  await expect.poll(states, { timeout: 20_000 }).toEqual(['CONNECTED']);
  expect(await environment()).toContain('first $(id)');
  expect(await host.client.call(api.hooks.test, { body: { hook } })).toMatchObject({
    decision: 'deny',
    reason: "it's; exit 3 first $(id)",
  });

  await put({ api_key: 'second' });
  await expect
    .poll(async () => ((await states()).join() === 'CONNECTED' ? environment() : ''), {
      timeout: 20_000,
    })
    .toContain('second');
});
