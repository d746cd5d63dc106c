import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { type GitRepository, makeRepository } from '../../testing/store/git-repository.ts';
import { type StaticServer, startStaticServer } from '../../testing/store/static-server.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

let host: TestHost;
let web: StaticServer;
let plugins: GitRepository;

const catalogs = {
  'anthropics-claude-code': ['CLAUDE', 13],
  'anthropics-official': ['CLAUDE', 286],
  'anthropics-skills': ['CLAUDE', 3],
  'openai-plugins': ['AGENTS', 180],
  'wshobson-claude': ['CLAUDE', 92],
} as const;

const samples = join(import.meta.dirname, '..', '..', 'testing', 'marketplaces');

beforeAll(async () => {
  host = await startTestHost();
  web = await startStaticServer();
  plugins = await makeRepository({
    'one/.claude-plugin/plugin.json': JSON.stringify({ name: 'one', version: '1.2.3' }),
    'one/hooks/hooks.json': JSON.stringify({
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [{ type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/hooks/check.sh' }],
          },
        ],
      },
    }),
    'one/hooks/check.sh': '#!/bin/sh\nexit 0\n',
    'one/README.md': '# One\n',
    'two/skills/sum/SKILL.md': '---\nname: sum\ndescription: Adds numbers.\n---\nAdd them.\n',
    'two/commands/add.md': '---\ndescription: Adds.\n---\nAdd $ARGUMENTS\n',
    'three/.mcp.json': JSON.stringify({ mcpServers: { files: { command: 'npx', args: ['x'] } } }),
    'secret-link': { link: '/etc/passwd' },
    'two/link.md': { link: '/etc/passwd' },
  });
});
afterAll(async () => {
  await host.close();
  await web.close();
  await plugins.remove();
});

it('the five catalogues come as sources, every entry accounted for, and the grid shows all of them', async () => {
  for (const [name, [kind, count]] of Object.entries(catalogs)) {
    web.files.set(`/${name}.json`, await readFile(join(samples, `${name}.json`)));
    const source = await host.client.call(api.store.addSource, {
      body: { url: `${web.baseUrl}/${name}.json` },
    });
    expect(source).toMatchObject({ kind, enabled: true, builtIn: false });
    expect(source.error).toBeUndefined();
    expect(source.pluginCount + source.warnings.length).toBeGreaterThanOrEqual(count);
  }
  const sources = await host.client.call(api.store.sources);
  expect(sources).toHaveLength(6);
  const grid = await host.client.call(api.market.list);
  for (const source of sources) {
    expect(grid.filter(({ sourceId }) => sourceId === source.id)).toHaveLength(source.pluginCount);
  }
});

it('three plugins of a file catalogue install from local repositories', async () => {
  const catalog = join(host.workDirectory, 'local.json');
  await writeFile(
    catalog,
    JSON.stringify({
      name: 'local',
      owner: { name: 'me' },
      plugins: ['one', 'two', 'three'].map((name) => ({
        name,
        source: { source: 'git-subdir', url: plugins.url, path: name },
      })),
    }),
  );
  const source = await host.client.call(api.store.addSource, { body: { url: `file://${catalog}` } });
  expect(source).toMatchObject({ id: 'local', pluginCount: 3 });
  for (const name of ['one', 'two', 'three']) {
    const id = `claude.local.${name}`;
    const installed = await host.client.call(api.market.install, { params: { id } });
    expect(installed).toMatchObject({ id, enabled: true, uiEntry: '' });
    console.log(installed);
  }
  console.log(await host.client.call(api.contributions.skills), await host.client.call(api.contributions.commands));
  console.log(JSON.stringify(await host.client.call(api.contributions.hooks), null, 1));
  const trusted = await host.client.call(api.contributions.trust, { params: { id: 'claude.local.one' } });
  expect(trusted).toMatchObject({ state: 'trusted' });
  await writeFile(join(host.paths.plugins, 'claude.local.one/hooks/check.sh'), 'exit 2');
  const [changed] = await host.client.call(api.contributions.hooks);
  expect(changed).toMatchObject({ state: 'changed', trusted: false });
});
