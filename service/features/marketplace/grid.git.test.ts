import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api, MarketplacePlugin, PluginDetails } from '../../contract/index.ts';
import { packPlugin } from '../../testing/packages.ts';
import { problem } from '../../testing/problem.ts';
import { upload } from '../../testing/sample-plugin.ts';
import { type GitRepository, makeRepository } from '../../testing/store/git-repository.ts';
import {
  addSource,
  gridOf,
  removeSource,
  setSource,
  writeAt,
} from '../../testing/store/sources.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

let host: TestHost;
let plugins: GitRepository;
let packageBytes: Buffer;
const sha = 'ab'.repeat(20);
const hostile = 'A\u202Ebad\u0000 \u2066name\nin two\tlines\u001b[31m';

beforeAll(async () => {
  host = await startTestHost();
  plugins = await makeRepository({
    'skills/sum/SKILL.md': '---\nname: sum\ndescription: Adds.\n---\nAdd them.\n',
    'commands/add.md': 'Add $ARGUMENTS\n',
    'README.md': '# Sums\nAdds numbers.\n',
    '.claude-plugin/plugin.json': JSON.stringify({ name: 'sums', version: '1.2.3' }),
  });
  const catalog = {
    name: 'Claude store',
    owner: { name: 'The tests' },
    plugins: [
      {
        name: 'sums',
        source: { source: 'url', url: plugins.url },
        version: '1.2.3',
        description: 'Adds numbers.',
        author: { name: 'Adder' },
        category: 'data',
        keywords: ['sum', 'sum'],
        homepage: 'https://example.com/sums',
      },
      { name: 'pinned', source: { source: 'url', url: 'https://example.com/x.git', sha } },
      { name: 'relative', source: './relative' },
      { name: 'npm', source: { source: 'npm', package: '@a/b' } },
      {
        name: 'hostile',
        displayName: hostile,
        source: { source: 'url', url: plugins.url },
        description: hostile,
        author: hostile,
        category: hostile,
        keywords: [hostile],
        homepage: 'javascript:alert(1)',
        version: `1.0.0${hostile}`,
      },
    ],
  };
  const url = await writeAt(join(host.workDirectory, 'claude.json'), JSON.stringify(catalog));
  await addSource(host, { url });
  packageBytes = await packPlugin({
    manifest: { id: 'acme.packed', aiTools: [] },
    files: { 'README.md': '# Packed\n' },
  });
  await writeAt(join(host.workDirectory, 'packed.plugin'), packageBytes);
  const entry = {
    id: 'acme.packed',
    name: 'Packed',
    version: '1.0.0',
    package: 'packed.plugin',
    sizeBytes: packageBytes.length,
    category: 'made up',
    official: false,
    methods: { sum: {} },
    aiTools: [{ name: 'sum', description: 'Adds.', method: 'sum', effect: 'read' }],
  };
  const packages = await writeAt(
    join(host.workDirectory, 'packages.json'),
    JSON.stringify({ plugins: [entry] }),
  );
  await addSource(host, { url: packages });
});
afterAll(async () => {
  await host.close();
  await plugins.close();
});

const id = 'claude.claude-store.sums';
const pluginOf = async (pluginId: string): Promise<MarketplacePlugin | undefined> =>
  (await gridOf(host)).find((one) => one.id === pluginId);
const details = (pluginId: string): Promise<PluginDetails> =>
  host.client.call(api.market.details, { params: { id: pluginId } });
const exact = z.strictObject(MarketplacePlugin.shape);
const exactDetails = z.strictObject(PluginDetails.shape);

async function allFit(): Promise<void> {
  const grid = await gridOf(host);
  expect(z.array(exact).parse(grid)).toEqual(grid);
  for (const one of grid) {
    const detail = await details(one.id);
    expect(exactDetails.parse(detail)).toEqual(detail);
    expect(detail).toMatchObject(one);
  }
}

describe('the grid', () => {
  it('shows the entries of catalogs before they are installed [MARKET-02, STORE-05]', async () => {
    const grid = await gridOf(host);
    expect(grid.map((one) => one.id)).toEqual([
      ...['sums', 'pinned', 'relative', 'npm', 'hostile'].map((n) => `claude.claude-store.${n}`),
      'acme.packed',
    ]);
    expect(grid[0]).toEqual({
      id,
      name: 'sums',
      description: 'Adds numbers.',
      version: '1.2.3',
      author: 'Adder',
      category: 'data',
      icon: '',
      permissions: [],
      keywords: ['sum'],
      source: 'THIRD_PARTY',
      sourceId: 'claude-store',
      sourceName: 'Claude store',
      installed: false,
      installedVersion: null,
      updateAvailable: false,
      enabled: false,
      supportsAi: false,
      uiEntry: '',
      iconStyle: 'BLUE',
      state: 'stopped',
      installable: true,
      homepage: 'https://example.com/sums',
      manifest: expect.objectContaining({ name: 'sums', author: { name: 'Adder' } }) as unknown,
    });
    expect(grid[1]).toMatchObject({ version: sha.slice(0, 12), category: 'other' });
    expect(grid[2]).toMatchObject({
      installable: false,
      notInstallableReason: expect.stringMatching(/repo/) as string,
    });
    expect(grid[3]).toMatchObject({
      installable: false,
      notInstallableReason: expect.stringMatching(/npm/) as string,
    });
    expect(grid[5]).toMatchObject({
      name: 'Packed',
      category: 'made up',
      supportsAi: true,
      sourceId: 'packages',
      manifest: { id: 'acme.packed', ui: { entry: 'ui/index.html' } },
    });
    await allFit();
  });

  it('shows no misleading text [STORE-12]', async () => {
    const hostileOne = await pluginOf('claude.claude-store.hostile');
    const texts = { ...hostileOne, manifest: null };
    const all = JSON.stringify(texts);
    expect(hostileOne?.name).toMatch(/^A.bad.+name in two lines/u);
    expect(all).not.toMatch(/[\p{Cc}\p{Bidi_Control}]|\\u00|\\n|\\t|javascript/u);
    expect(texts).toMatchObject({ version: '', keywords: [expect.any(String)] });
  });

  it('shows installed plugins with their contributions [MARKET-01, STORE-13]', async () => {
    await host.client.call(api.market.install, { params: { id } });
    await upload(host, packageBytes);
    await expect(pluginOf(id)).resolves.toMatchObject({
      id,
      name: 'sums',
      version: '1.2.3',
      installed: true,
      installedVersion: '1.2.3',
      enabled: true,
      updateAvailable: false,
      sourceId: 'claude-store',
      keywords: ['sum'],
      uiEntry: '',
      commit: await plugins.git('rev-parse', 'HEAD'),
      installable: true,
      contents: { skills: ['sum'], commands: ['add'], agents: [], hooks: [], mcpServers: [] },
    });
    await expect(pluginOf('acme.packed')).resolves.toMatchObject({
      installed: true,
      sourceId: 'packages',
      sourceName: 'packages',
      supportsAi: false,
      uiEntry: `${host.baseUrl}/plugin-runtime/acme.packed/index.html`,
    });
    const grid = await gridOf(host);
    expect(new Set(grid.map((one) => one.id)).size).toBe(grid.length);
    expect(grid).toHaveLength(6);
    await allFit();
  });

  it('keeps installed plugins whose source is hidden or removed', async () => {
    await upload(host, await packPlugin({ manifest: { id: 'acme.unlisted' } }));
    await setSource(host, 'claude-store', false);
    const grid = await gridOf(host);
    expect(grid.map((one) => one.id).sort()).toEqual(['acme.packed', 'acme.unlisted', id].sort());
    const alone = { sourceId: null, sourceName: null, installable: false, updateAvailable: false };
    await expect(pluginOf(id)).resolves.toMatchObject({ ...alone, installed: true, enabled: true });
    await expect(pluginOf('acme.unlisted')).resolves.toMatchObject({ ...alone, keywords: [] });
    await allFit();
    await setSource(host, 'claude-store', true);
    await expect(pluginOf(id)).resolves.toMatchObject({
      sourceId: 'claude-store',
      installable: true,
    });
    await removeSource(host, 'packages');
    await expect(pluginOf('acme.packed')).resolves.toMatchObject({ ...alone, installed: true });
  });
});

it('the grid is the same JSON however it is requested', async () => {
  const answer = await host.ask('/api/plugin-market');
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  expect(answer.text).toBe(JSON.stringify(answer.json()));
  const head = await host.ask('/api/plugin-market', { method: 'HEAD' });
  expect(head.headers['content-length']).toBe(answer.headers['content-length']);
  expect(head.text).toBe('');
  const installed = await host.ask('/api/plugin-market?installed=true');
  const all = answer.json() as MarketplacePlugin[];
  expect(installed.json()).toEqual(all.filter((one) => one.installed));
});

describe('the details of a plugin', () => {
  it('contain more about an installed one', async () => {
    const detail = await details(id);
    expect(detail).toMatchObject({ readme: '# Sums\nAdds numbers.\n', versions: ['1.2.3'] });
    expect(detail.sizeBytes).toBeGreaterThan(100);
    expect(detail.dataSizeBytes).toBe(0);
    const commit = await plugins.git('rev-parse', 'HEAD');
    expect(detail.place).toEqual({ kind: 'git', url: plugins.url, commit });
    const none = { permissions: [], addedPermissions: [] };
    expect(detail.offered).toEqual({ version: '1.2.3', comparison: 'same', ...none });
    await expect(details('acme.packed')).resolves.toMatchObject({ readme: '# Packed\n' });
  });

  it('contain the size of a package that is not installed', async () => {
    await host.client.call(api.market.uninstall, {
      params: { id: 'acme.packed' },
      query: { deleteData: 'true' },
    });
    const url = `file://${join(host.workDirectory, 'packages.json')}`;
    await addSource(host, { url });
    const detail = await details('acme.packed');
    expect(detail).toMatchObject({
      installed: false,
      sizeBytes: packageBytes.length,
      versions: ['1.0.0'],
    });
    expect(detail.dataSizeBytes).toBeUndefined();
    expect(detail.place).toEqual({
      kind: 'package',
      url: url.replace('packages.json', 'packed.plugin'),
    });
    expect(detail.offered).toBeUndefined();
  });

  it('contain the origin and the commit of one that is not installed', async () => {
    const location = { kind: 'git', url: 'https://example.com/x.git', commit: sha };
    await expect(details('claude.claude-store.pinned')).resolves.toMatchObject({ place: location });
    expect((await details('claude.claude-store.npm')).place).toBeUndefined();
  });

  it('are 404 for an unknown plugin, and 400 for an invalid id', async () => {
    await expect(details('acme.nobody')).rejects.toEqual(problem('unknown_plugin', 404));
    await expect(details('claude.claude-store.gone')).rejects.toEqual(
      problem('unknown_plugin', 404),
    );
    const answer = await host.ask(`/api/plugin-market/${'x'.repeat(500)}`);
    expect([400, 404]).toContain(answer.status);
  });
});
