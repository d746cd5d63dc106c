import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { type GitRepository, makeRepository } from '../../testing/store/git-repository.ts';
import { catalogue, subscribed } from '../../testing/store/subscribed.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

let host: TestHost;
const repositories: GitRepository[] = [];

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(async () => {
  await host.close();
  for (const repository of repositories) await repository.close();
});

async function repositoryOf(files: Record<string, string>): Promise<GitRepository> {
  const repository = await makeRepository(files);
  repositories.push(repository);
  return repository;
}

const install = (id: string) => host.client.call(api.market.install, { params: { id } });
const update = (id: string) => host.client.call(api.market.update, { params: { id } });
const details = (id: string) => host.client.call(api.market.details, { params: { id } });
const isAvailable = async (id: string): Promise<boolean> => (await details(id)).updateAvailable;
const textOf = (id: string): Promise<string> =>
  readFile(join(host.paths.plugins, id, 'text.md'), 'utf8');
const gridIds = async (sourceId: string): Promise<string[]> =>
  (await host.client.call(api.market.list))
    .filter((one) => one.sourceId === sourceId)
    .map(({ id }) => id);
const refused = (status: number, code: string) =>
  expect.objectContaining({
    problem: expect.objectContaining({ status, code }) as object,
  }) as Error;

it('a higher version in the catalog is an update, another commit of the same version is not [MARKET-14] [PLUGIN-25]', async () => {
  const repository = await repositoryOf({ 'text.md': 'one' });
  const entry = (version: string) => [
    { name: 'x', version, source: { source: 'url', url: repository.url } },
  ];
  const { change } = await subscribed(host, 'versions', entry('1.0.0'));
  const id = 'claude.versions.x';
  await install(id);
  await host.client.call(api.market.setEnabled, { params: { id }, body: { enabled: false } });
  const commit = await repository.commit({ 'text.md': 'two' });
  await change(entry('1.0.0'));
  expect(await isAvailable(id)).toBe(false);
  await change(entry('0.9.0'));
  expect(await isAvailable(id)).toBe(false);
  await change(entry('1.1.0'));
  expect(await isAvailable(id)).toBe(true);
  expect(await update(id)).toMatchObject({ id, version: '1.1.0', enabled: false });
  expect(await textOf(id)).toBe('two');
  expect(await details(id)).toMatchObject({
    updateAvailable: false,
    installedVersion: '1.1.0',
    commit,
    enabled: false,
  });
});

it('a plugin whose own manifest has a lower version than its catalog is not offered the same update again', async () => {
  const repository = await repositoryOf({
    'text.md': 'one',
    '.claude-plugin/plugin.json': JSON.stringify({ name: 'x', version: '1.0.0' }),
  });
  const entry = (version: string) => [
    { name: 'x', version, source: { source: 'url', url: repository.url } },
  ];
  const { change } = await subscribed(host, 'lagging', entry('1.0.0'));
  const id = 'claude.lagging.x';
  await install(id);
  await change(entry('2.0.0'));
  expect(await isAvailable(id)).toBe(true);
  await update(id);
  expect(await details(id)).toMatchObject({ updateAvailable: false, installedVersion: '1.0.0' });
  await change(entry('2.0.1'));
  expect(await isAvailable(id)).toBe(true);
});

it('without versions another pinned commit is an update; without a pin an update is made on request', async () => {
  const repository = await repositoryOf({ 'text.md': 'one' });
  const first = await repository.git('rev-parse', 'HEAD');
  const url = repository.url;
  const entries = (sha: string) => [
    { name: 'pinned', source: { source: 'url', url, sha } },
    { name: 'free', source: { source: 'url', url } },
  ];
  const { change } = await subscribed(host, 'pins', entries(first));
  const [pinned, free] = ['claude.pins.pinned', 'claude.pins.free'];
  await install(pinned);
  await install(free);
  const second = await repository.commit({ 'text.md': 'two' });
  await change(entries(first));
  expect([await isAvailable(pinned), await isAvailable(free)]).toEqual([false, false]);
  await change(entries(second));
  expect([await isAvailable(pinned), await isAvailable(free)]).toEqual([true, false]);
  await update(free);
  expect(await textOf(free)).toBe('two');
  await change(entries('0123456789'.repeat(4)));
  await expect(update(pinned)).rejects.toEqual(refused(502, 'pin_mismatch'));
  expect(await details(pinned)).toMatchObject({ installed: true, commit: first });
  expect(await textOf(pinned)).toBe('one');
  await change(entries(second));
  await update(pinned);
  expect(await details(pinned)).toMatchObject({ commit: second, updateAvailable: false });
});

it('in a repository with several plugins only the one whose folder changed is an update', async () => {
  const marketplace = catalogue('shared', [
    { name: 'a', source: './a' },
    { name: 'b', source: './b' },
    { name: 'c', source: './c' },
  ]);
  const repository = await repositoryOf({
    '.claude-plugin/marketplace.json': marketplace,
    'a/text.md': 'one',
    'b/text.md': 'one',
    'c/text.md': 'one',
    'README.md': 'one',
  });
  const { id: source } = await host.client.call(api.store.addSource, {
    body: { url: repository.url },
  });
  const ids = ['a', 'b', 'c'].map((name) => `claude.shared.${name}`);
  for (const id of ids) await install(id);
  const available = () => Promise.all(ids.map(isAvailable));
  const refresh = () => host.client.call(api.store.refreshSource, { params: { id: source } });
  await repository.commit({ 'README.md': 'two' });
  await refresh();
  expect(await available()).toEqual([false, false, false]);
  const commit = await repository.commit({ 'b/text.md': 'two', 'c/text.md': null });
  await refresh();
  expect(await available()).toEqual([false, true, false]);
  await update('claude.shared.b');
  expect(await textOf('claude.shared.b')).toBe('two');
  expect(await details('claude.shared.b')).toMatchObject({ commit, updateAvailable: false });
  await expect(update('claude.shared.c')).rejects.toEqual(refused(422, 'invalid_repository'));
  expect(await textOf('claude.shared.c')).toBe('one');
});

it('a plugin that its catalog renames keeps its id and is updated from the new entry', async () => {
  const repository = await repositoryOf({ 'text.md': 'one' });
  const source = { source: 'url', url: repository.url };
  const entry = (name: string, version: string) => ({ name, version, source });
  const { change } = await subscribed(host, 'renaming', [entry('old name', '1.0.0')]);
  const id = 'claude.renaming.old-name';
  await install(id);
  await repository.commit({ 'text.md': 'two' });
  await change([entry('new', '2.0.0')], { renames: { 'old name': 'middle', middle: 'new' } });
  expect(await details(id)).toMatchObject({ updateAvailable: true, sourceId: 'renaming' });
  expect(await gridIds('renaming')).toEqual([id]);
  expect(await update(id)).toMatchObject({ id, name: 'new', version: '2.0.0' });
  expect(await textOf(id)).toBe('two');
  await change([entry('other', '3.0.0')], {
    renames: { 'old name': 'middle', middle: 'old name' },
  });
  expect(await details(id)).toMatchObject({ updateAvailable: false, sourceId: null });
  await change([entry('other', '3.0.0')], { renames: { 'old name': null } });
  await expect(update(id)).rejects.toEqual(refused(409, 'not_in_catalog'));
});

it('a plugin whose source was removed stays, and no other source of that name takes it over [MARKET-18]', async () => {
  const repository = await repositoryOf({ 'text.md': 'one' });
  const strange = await repositoryOf({ 'text.md': 'strange' });
  const entry = ({ url }: GitRepository, version: string) => [
    { name: 'x', version, source: { source: 'url', url } },
  ];
  const { source, change } = await subscribed(host, 'leaving', entry(repository, '1.0.0'));
  const id = 'claude.leaving.x';
  await install(id);
  await change(entry(repository, '1.5.0'));
  const setSource = (enabled: boolean) =>
    host.client.call(api.store.setSourceEnabled, { params: { id: source.id }, body: { enabled } });
  await setSource(false);
  expect(await details(id)).toMatchObject({ sourceId: null, updateAvailable: false });
  await expect(update(id)).rejects.toMatchObject({
    problem: {
      status: 409,
      code: 'not_in_catalog',
      detail:
        'No source of the store offers x now. Add the source it came from, or enable it again.',
    },
  });
  await setSource(true);
  expect(await details(id)).toMatchObject({ sourceId: 'leaving', updateAvailable: true });

  await host.client.call(api.store.removeSource, { params: { id: source.id } });
  const withoutSource = {
    installed: true,
    sourceId: null,
    updateAvailable: false,
    installedVersion: '1.0.0',
  };
  expect(await details(id)).toMatchObject(withoutSource);
  await expect(update(id)).rejects.toEqual(refused(409, 'not_in_catalog'));

  const file = join(host.workDirectory, 'impostor.json');
  await writeFile(file, catalogue('leaving', entry(strange, '9.0.0')));
  const impostor = await host.client.call(api.store.addSource, {
    body: { url: pathToFileURL(file).href },
  });
  expect(impostor.id).toBe('leaving-2');
  expect(await details(id)).toMatchObject(withoutSource);
  await expect(update(id)).rejects.toEqual(refused(409, 'not_in_catalog'));
  await install('claude.leaving-2.x');
  expect(await textOf('claude.leaving-2.x')).toBe('strange');
  expect(await textOf(id)).toBe('one');

  const back = await host.client.call(api.store.addSource, { body: { url: source.url } });
  expect(back.id).toBe('leaving');
  expect(await details(id)).toMatchObject({ sourceId: 'leaving', updateAvailable: true });
  expect(await update(id)).toMatchObject({ version: '1.5.0' });
});

it('an update that changes executable parts revokes the trust', async () => {
  const hooks = JSON.stringify({
    hooks: {
      PreToolUse: [
        { hooks: [{ type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/hooks/check.sh' }] },
      ],
    },
  });
  const repository = await repositoryOf({
    'text.md': 'one',
    'hooks/hooks.json': hooks,
    'hooks/check.sh': '#!/bin/sh\nexit 0\n',
  });
  const entry = (version: string) => [
    { name: 'x', version, source: { source: 'url', url: repository.url } },
  ];
  const { change } = await subscribed(host, 'trusted', entry('1.0.0'));
  const id = 'claude.trusted.x';
  await install(id);
  const stateOf = async () =>
    (await host.client.call(api.contributions.hooks)).find((one) => one.pluginId === id)?.state;
  expect(await stateOf()).toBe('untrusted');
  await host.client.call(api.contributions.trust, { params: { id } });
  await repository.commit({ 'text.md': 'two' });
  await change(entry('1.1.0'));
  await update(id);
  expect(await stateOf()).toBe('trusted');
  await repository.commit({ 'hooks/check.sh': '#!/bin/sh\nexit 2\n' });
  await change(entry('1.2.0'));
  await update(id);
  expect(await stateOf()).toBe('changed');
});

it('unknown plugins cannot be updated, and installed ones not installed again', async () => {
  const repository = await repositoryOf({ 'text.md': 'one' });
  const source = { source: 'url', url: repository.url };
  await subscribed(host, 'plain', [{ name: 'x', source }]);
  await expect(update('claude.plain.x')).rejects.toEqual(refused(404, 'unknown_plugin'));
  await expect(install('claude.plain.y')).rejects.toEqual(refused(404, 'unknown_plugin'));
  await install('claude.plain.x');
  await expect(install('claude.plain.x')).rejects.toEqual(refused(409, 'already_installed'));
});
