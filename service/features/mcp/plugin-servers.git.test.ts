import { createRequire } from 'node:module';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api, type McpServerView } from '../../contract/index.ts';
import { type GitRepository, makeRepository } from '../../testing/store/git-repository.ts';
import { addCatalog } from '../../testing/store/local-catalog.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

const id = 'claude.acme.numbers';
const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);

let host: TestHost;
let repository: GitRepository;
beforeAll(async () => {
  host = await startTestHost();
  repository = await makeRepository({
    'numbers/.claude-plugin/plugin.json': JSON.stringify({ name: 'numbers', version: '1.0.0' }),
    'numbers/.mcp.json': JSON.stringify({
      mcpServers: {
        calc: {
          command: process.execPath,
          args: ['${CLAUDE_PLUGIN_ROOT}/server.mjs'],
          env: { PLACE: '${CLAUDE_PLUGIN_ROOT}', KEY: 'secret-value' },
        },
      },
    }),
    'numbers/server.mjs': `process.argv.push('stdio');\nawait import(${JSON.stringify(everything)});\n`,
  });
  const source = { source: 'git-subdir', url: repository.url, path: 'numbers' };
  await addCatalog(host, 'acme', [{ name: 'numbers', source }]);
  await host.client.call(api.market.install, { params: { id } });
});
afterAll(async () => {
  await host.close();
  await repository.close();
});

const params = { id };
const servers = (): Promise<McpServerView[]> => host.client.call(api.mcp.list);
const states = async (): Promise<string[]> => (await servers()).map(({ state }) => state);

it('the servers of a plugin exist only while it is trusted and enabled, and are not editable', async () => {
  expect(await servers()).toEqual([]);
  await host.client.call(api.contributions.trust, { params });
  await expect.poll(states, { timeout: 20_000 }).toEqual(['CONNECTED']);
  const [server] = await servers();
  expect(server).toMatchObject({
    name: 'numbers-calc',
    pluginId: id,
    builtIn: true,
    trustAnnotations: false,
    envKeys: expect.arrayContaining(['KEY', 'PLACE']) as unknown,
  });
  expect(JSON.stringify(server)).not.toContain('secret-value');
  expect(new Set(server?.tools.map(({ effect }) => effect))).toEqual(new Set(['external']));
  const names = (await host.client.call(api.tools.list)).map(({ name }) => name);
  expect(names).toContain('mcp__numbers-calc__echo');
  const environment = await host.client.call(api.mcp.call, {
    params: { id: server?.id ?? '' },
    body: { tool: 'get-env', arguments: {} },
  });
  const environmentText = JSON.stringify(environment.content);
  expect(environmentText).toContain('CLAUDE_PLUGIN_ROOT');
  expect(environmentText).not.toContain('${CLAUDE_PLUGIN_ROOT}');
  await expect(
    host.client.call(api.mcp.remove, { params: { id: server?.id ?? '' } }),
  ).rejects.toMatchObject({ problem: { status: 409, code: 'built_in' } });

  await host.client.call(api.market.setEnabled, { params, body: { enabled: false } });
  await expect.poll(servers).toEqual([]);
  await host.client.call(api.market.setEnabled, { params, body: { enabled: true } });
  await expect.poll(states, { timeout: 20_000 }).toEqual(['CONNECTED']);
  await host.client.call(api.contributions.untrust, { params });
  await expect.poll(servers).toEqual([]);
});

it('the servers of a plugin that changed on disk wait until it is trusted again', async () => {
  await host.client.call(api.contributions.trust, { params });
  await expect.poll(states, { timeout: 20_000 }).toEqual(['CONNECTED']);
  const file = join(host.workDirectory, '.host', 'plugins', id, 'server.mjs');
  await appendFile(file, '// changed\n');
  // Any change of a plugin triggers a check of all of them.
  await host.client.call(api.market.setEnabled, { params, body: { enabled: true } });
  await expect.poll(servers).toEqual([]);
});
