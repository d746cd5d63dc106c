import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type MarketplacePlugin } from '../../contract/index.ts';
import { type GitRepository, makeRepository } from '../../testing/store/git-repository.ts';
import { addSource, gridOf, writeAt } from '../../testing/store/sources.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

const skill = '---\nname: sum\ndescription: Adds.\n---\nAdd.\n';
const servers = { 'go-server': { command: 'gopls' }, rusty: { command: 'rust-analyzer' } };
const json = (value: unknown): string => JSON.stringify(value);

const agents = {
  name: 'Codex store',
  plugins: [
    { name: 'sums', source: { source: 'local', path: './plugins/sums' } },
    {
      name: 'worded',
      source: './plugins/sums',
      version: '9.0.0',
      description: 'As the catalogue has it.',
      author: { name: 'Catalogue' },
    },
    { name: 'silent', source: './plugins/silent' },
  ],
};
const claude = {
  name: 'Claude store',
  owner: { name: 'Tests' },
  plugins: [
    { name: 'languages', source: './languages', strict: false, lspServers: servers },
    { name: 'files', source: './files', description: 'Has its servers in a file.' },
    { name: 'empty', source: './empty', description: 'Is empty.' },
    { name: 'both', source: './both', lspServers: { one: { command: 'one' } } },
    { name: 'shown', source: './empty', commands: ['./words/hello.md'] },
    { name: 'far', source: { source: 'url', url: 'https://example.com/far.git' } },
  ],
};

let host: TestHost;
let codex: GitRepository;
let repository: GitRepository;
beforeAll(async () => {
  host = await startTestHost();
  codex = await makeRepository({
    '.agents/plugins/marketplace.json': json(agents),
    'plugins/sums/.codex-plugin/plugin.json': json({
      name: 'sums',
      version: '2.1.0',
      author: 'An Author',
      skills: './skills/',
      interface: { shortDescription: 'Adds numbers.' },
    }),
    'plugins/sums/skills/sum/SKILL.md': skill,
    'plugins/silent/skills/sum/SKILL.md': skill,
    'plugins/silent/.codex-plugin/plugin.json': '{"name": broken',
  });
  repository = await makeRepository({
    '.claude-plugin/marketplace.json': json(claude),
    'languages/README.md': '# Languages\n',
    'files/.claude-plugin/plugin.json': json({ name: 'files', lspServers: './.lsp.json' }),
    'files/.lsp.json': json({ pyright: { command: 'pyright' } }),
    'empty/words/hello.md': 'Hello.\n',
    'both/skills/sum/SKILL.md': skill,
  });
  await addSource(host, { url: codex.url });
  await addSource(host, { url: repository.url });
});
afterAll(async () => {
  await host.close();
  await codex.close();
  await repository.close();
});

async function pluginOf(name: string): Promise<MarketplacePlugin> {
  const found = (await gridOf(host)).find(({ id }) => id === name || id.endsWith(`.${name}`));
  if (!found) throw new Error(`The grid has no ${name}.`);
  return found;
}
const nothing = {
  path: '',
  message:
    'This plugin adds nothing that this host can use: no skills, commands, agents, hooks or MCP servers.',
  text: { code: 'store.addsNothing' },
};
const without = (names: string) => ({
  path: 'lspServers',
  message: `Language servers are not supported and are left out: ${names}.`,
  text: { code: 'store.languageServersLeftOut', parameters: { names: names.split(', ') } },
});

describe('an entry with few fields', () => {
  it('has description, version and author from the plugin’s own manifest', async () => {
    expect(await pluginOf('sums')).toMatchObject({
      description: 'Adds numbers.',
      version: '2.1.0',
      author: 'An Author',
    });
    const { id } = await pluginOf('sums');
    expect(await host.client.call(api.market.details, { params: { id } })).toMatchObject({
      description: 'Adds numbers.',
      version: '2.1.0',
      versions: ['2.1.0'],
    });
  });

  it('keeps the texts of its catalog', async () => {
    expect(await pluginOf('worded')).toMatchObject({
      description: 'As the catalogue has it.',
      version: '9.0.0',
      author: 'Catalogue',
    });
  });

  it('has no texts if its manifest cannot be read', async () => {
    expect(await pluginOf('silent')).toMatchObject({ description: '', version: '', author: '' });
  });

  it('is an update as soon as its folder changes, whatever version its manifest has', async () => {
    const { id } = await pluginOf('sums');
    const params = { id };
    await host.client.call(api.market.install, { params });
    await codex.commit({ 'plugins/sums/skills/sum/SKILL.md': `${skill}More.\n` });
    const [source] = (await host.client.call(api.store.sources)).filter(
      ({ name }) => name === 'Codex store',
    );
    await host.client.call(api.store.refreshSource, { params: { id: source?.id ?? '' } });
    expect(await pluginOf('sums')).toMatchObject({ updateAvailable: true, version: '2.1.0' });
  });
});

describe('a plugin with unusable parts', () => {
  it('has a warning in the grid and in its preview', async () => {
    expect((await pluginOf('languages')).warnings).toEqual([nothing, without('go-server, rusty')]);
    expect((await pluginOf('files')).warnings).toEqual([nothing, without('pyright')]);
    expect((await pluginOf('empty')).warnings).toEqual([nothing]);
    expect((await pluginOf('both')).warnings).toEqual([without('one')]);
    expect((await pluginOf('shown')).warnings).toBeUndefined();
    expect((await pluginOf('silent')).warnings).toBeUndefined();
    const { id } = await pluginOf('files');
    const { warnings, contents } = await host.client.call(api.market.look, { params: { id } });
    expect(contents).toBeUndefined();
    expect(warnings).toEqual([nothing, without('pyright')]);
  });

  it('has a warning once it is installed, in the answer, the operation and the details', async () => {
    const { id } = await pluginOf('languages');
    const params = { id };
    const answer = await host.client.call(api.market.install, { params });
    const expected = [nothing, without('go-server, rusty')];
    expect(answer).toMatchObject({ id, warnings: expected });
    const operations = await host.client.call(api.store.operations);
    expect(operations.find(({ pluginId }) => pluginId === id)).toMatchObject({
      state: 'completed',
      warnings: expected,
    });
    const details = await host.client.call(api.market.details, { params });
    expect(details.warnings).toEqual([nothing]);
    const both = await pluginOf('both');
    const other = await host.client.call(api.market.install, { params: { id: both.id } });
    expect(other.warnings).toEqual([without('one')]);
  });

  it('has no warning if all of it is usable', async () => {
    const { id } = await pluginOf('silent');
    const answer = await host.client.call(api.market.install, { params: { id } });
    expect(answer.warnings).toBeUndefined();
    expect((await pluginOf('silent')).warnings).toBeUndefined();
  });
});

it('an entry whose files are on another machine is marked as needing the network', async () => {
  expect((await pluginOf('far')).needsNetwork).toBe(true);
  expect((await pluginOf('empty')).needsNetwork).toBeUndefined();
  const catalog = {
    plugins: [
      { id: 'acme.far', name: 'Far', version: '1.0.0', package: 'https://example.com/far.plugin' },
    ],
  };
  const url = await writeAt(`${host.workDirectory}/packages.json`, json(catalog));
  await addSource(host, { url });
  expect((await pluginOf('acme.far')).needsNetwork).toBe(true);
});

/** Real catalogs, if they are next to the project; otherwise one of the same form. */
const field = join(
  import.meta.dirname,
  '../../../../shared/inputs/marketplaces/anthropics-official.json',
);

it('every language server of a real catalog is named, and other entries have no warnings', async () => {
  const document = (existsSync(field) ? JSON.parse(readFileSync(field, 'utf8')) : claude) as {
    plugins: { name: string; source: unknown; lspServers?: Record<string, unknown> }[];
  };
  const beside = document.plugins.filter(({ source }) => typeof source === 'string');
  const files = beside.flatMap(({ source, lspServers }) =>
    lspServers ? [[`${String(source)}/README.md`.replace('./', ''), 'Hello.\n']] : [],
  );
  const real = await makeRepository({
    '.claude-plugin/marketplace.json': json({ ...document, name: 'real' }),
    ...(Object.fromEntries(files) as Record<string, string>),
  });
  try {
    const { id } = await addSource(host, { url: real.url });
    const grid = await gridOf(host, id);
    expect(grid).toHaveLength(document.plugins.length);
    const named = grid.filter(({ warnings = [] }) => warnings.some((one) => one.path !== ''));
    const expected = document.plugins.filter(({ lspServers }) => lspServers !== undefined);
    expect(named.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
    const bare = grid.filter(({ warnings }) => warnings !== undefined);
    expect(bare).toHaveLength(expected.length);
  } finally {
    await real.close();
  }
});
