import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Client } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { installEscaping } from '../service/testing/escaping-plugin.ts';
import { invoke } from '../service/testing/sample-plugin.ts';
import { type GitRepository, makeRepository } from '../service/testing/store/git-repository.ts';
import { type CatalogSet, catalogSets } from '../service/testing/store/sample-catalogs.ts';
import { type StaticServer, startStaticServer } from '../service/testing/store/static-server.ts';
import { type BuiltHost, createHosts } from './built-host.ts';

const hosts = createHosts();
let web: StaticServer;
let repository: GitRepository;

const [own, real] = catalogSets() as [CatalogSet, CatalogSet];
const names = ['guarded', 'skilled', 'served'];
const hooks = (command: string): string =>
  JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ command }] }] } });

beforeAll(async () => {
  web = await startStaticServer();
  for (const [name, text] of Object.entries({ ...own.texts, ...real.texts }))
    web.files.set(`/${name}.json`, Buffer.from(text));
  repository = await makeRepository({
    'guarded/hooks/hooks.json': hooks('${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh'),
    'guarded/hooks/guard.sh': '#!/bin/sh\nexit 0\n',
    'skilled/skills/sum/SKILL.md': '---\nname: sum\ndescription: Adds.\n---\nAdd.\n',
    'served/.mcp.json': JSON.stringify({ mcpServers: { calc: { command: 'node' } } }),
  });
});
afterEach(() => hosts.cleanUp());
afterAll(async () => {
  await web.close();
  await repository.close();
});

const start = async (env: Record<string, string> = {}): Promise<[BuiltHost, Client]> => {
  const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'], env });
  return [host, await host.client()];
};

async function addFiles(client: Client, folder: string): Promise<void> {
  const file = join(folder, 'sixth.json');
  const plugins = names.map((name) => ({
    name,
    source: { source: 'git-subdir', url: repository.url, path: name },
  }));
  await writeFile(file, JSON.stringify({ name: 'sixth', owner: { name: 'The tests' }, plugins }));
  const source = await client.call(api.store.addSource, {
    body: { url: pathToFileURL(file).href },
  });
  expect(source).toMatchObject({ id: 'sixth', kind: 'CLAUDE', pluginCount: 3 });
}

async function addAll(client: Client, { texts }: CatalogSet): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    const { plugins } = JSON.parse(text) as { plugins: unknown[] };
    const url = `${web.baseUrl}/${name}.json`;
    const source = await client.call(api.store.addSource, { body: { url } });
    expect(source.error).toBeUndefined();
    expect(source.pluginCount + source.warnings.length).toBeGreaterThanOrEqual(plugins.length);
  }
}

it('real inputs: every catalogue becomes a source whose plugins are listed', async () => {
  const [, client] = await start();
  await addAll(client, real);
  const grid = await client.call(api.market.list);
  for (const { id, pluginCount } of await client.call(api.store.sources))
    expect(grid.filter(({ sourceId }) => sourceId === id)).toHaveLength(pluginCount);
});

it('from a clean directory the five catalogues are sources, a sixth installs, and an edited hook is changed [STORE-01, STORE-02, STORE-03, STORE-05, STORE-06]', async () => {
  const [host, client] = await start();
  await addAll(client, own);
  await addFiles(client, host.workDirectory);
  const grid = await client.call(api.market.list);
  const sources = await client.call(api.store.sources);
  expect(sources.map(({ kind }) => kind).sort()).toEqual(
    ['AGENTS', 'CLAUDE', 'CLAUDE', 'CLAUDE', 'CLAUDE', 'CLAUDE', 'HOST'].sort(),
  );
  for (const { id, pluginCount } of sources)
    expect(grid.filter(({ sourceId }) => sourceId === id)).toHaveLength(pluginCount);

  for (const name of names) {
    const id = `claude.sixth.${name}`;
    const installed = await client.call(api.market.install, { params: { id } });
    expect(installed).toMatchObject({ id, enabled: true, source: 'THIRD_PARTY' });
  }
  const skills = await client.call(api.contributions.skills);
  expect(skills.map(({ name }) => name)).toContain('sum');

  const params = { id: 'claude.sixth.guarded' };
  const state = async (): Promise<string | undefined> =>
    (await client.call(api.contributions.hooks)).find(({ pluginId }) => pluginId === params.id)
      ?.state;
  expect(await state()).toBe('untrusted');
  await client.call(api.contributions.trust, { params });
  expect(await state()).toBe('trusted');
  const folder = join(host.workDirectory, '.host', 'plugins', params.id);
  await writeFile(join(folder, 'hooks', 'guard.sh'), '#!/bin/sh\nexit 2\n');
  expect(await state()).toBe('changed');
  expect(await host.stop()).toEqual({ code: 0, signal: null });
});

it('every escape attempt of a worker fails, and the report says that the sandbox works', async () => {
  const [host, client] = await start();
  expect(await client.call(api.host.isolation)).toMatchObject({
    backend: 'bubblewrap',
    sandboxed: true,
    compatibilityMode: false,
  });
  const id = 'acme.escaping';
  await installEscaping({ client }, id);
  const attempt = (method: string, params: object): Promise<unknown> =>
    invoke({ client }, id, method, params);
  const failed = { failed: expect.stringMatching(/^E[A-Z]+$/) as unknown };
  const inside = join(host.workDirectory, '.host');
  for (const path of ['/etc/shadow', join(inside, 'config', '.machineid'), host.workDirectory])
    expect(await attempt('read', { path }), path).toEqual(failed);
  for (const path of ['/plugin/x', '/etc/x', join(host.workDirectory, 'x')])
    expect(await attempt('write', { path }), path).toEqual(failed);
  const port = Number(await host.value('HOST_PORT'));
  expect(await attempt('connect', { port })).toEqual(failed);
  const seen = JSON.stringify(await attempt('processes', {}));
  expect(seen).not.toContain(await host.value('HOST_TOKEN'));
});

it('without bubblewrap the report says so, and how to get it back', async () => {
  const folder = await hosts.makeFolder();
  const path = join(folder, 'bin');
  await mkdir(path);
  for (const from of (process.env['PATH'] ?? '').split(delimiter).reverse()) {
    const programs = await readdir(from).catch(() => []);
    for (const name of programs)
      if (name !== 'bwrap')
        await symlink(join(from, name), join(path, name)).catch(() => undefined);
  }
  const [, client] = await start({ PATH: path });
  expect(await client.call(api.host.isolation)).toMatchObject({
    backend: 'none',
    sandboxed: false,
    compatibilityMode: true,
    filesystem: 'none',
    advice: expect.stringContaining('apt install bubblewrap') as unknown,
  });
});
