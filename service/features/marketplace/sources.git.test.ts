import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { problem } from '../../testing/problem.ts';
import { type GitRepository, makeRepository } from '../../testing/store/git-repository.ts';
import {
  addSource,
  agentsCatalog,
  claudeCatalog,
  refreshSource,
} from '../../testing/store/sources.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

let host: TestHost;
let repository: GitRepository;

beforeAll(async () => {
  host = await startTestHost();
  repository = await makeRepository({
    '.claude-plugin/marketplace.json': claudeCatalog('Both kinds', ['one', 'two']),
    '.agents/plugins/marketplace.json': agentsCatalog('Both kinds', ['three']),
  });
});
afterAll(async () => {
  await host.close();
  await repository.close();
});

const pathOf = (name: string): string => join(host.workDirectory, name);

it('a source is added from a repository, also from a bare one and from one of its branches [STORE-02, STORE-03]', async () => {
  const { url } = repository;
  await expect(addSource(host, { url })).resolves.toMatchObject({
    id: 'both-kinds',
    kind: 'CLAUDE',
    pluginCount: 2,
  });
  await expect(addSource(host, { url, kind: 'AGENTS' })).resolves.toMatchObject({
    id: 'both-kinds-2',
    kind: 'AGENTS',
    pluginCount: 1,
  });
  const bare = pathOf('bare.git');
  await repository.git('clone', '--quiet', '--bare', '.', bare);
  const copy = await addSource(host, { url: pathToFileURL(bare).href });
  expect(copy).toMatchObject({ id: 'both-kinds-3', pluginCount: 2 });
  expect(copy.error).toBeUndefined();
  await repository.git('switch', '--quiet', '--create', 'next/version');
  await repository.commit({
    '.claude-plugin/marketplace.json': claudeCatalog('Next', ['four', 'five', 'six']),
  });
  await repository.git('switch', '--quiet', 'main');
  await expect(addSource(host, { url, ref: 'next/version' })).resolves.toMatchObject({
    id: 'next',
    ref: 'next/version',
    pluginCount: 3,
  });
  await expect(addSource(host, { url, ref: 'gone' })).resolves.toMatchObject({
    error: expect.stringMatching(/no such branch|no such/) as string,
    pluginCount: 0,
  });
});

it('a repository that is a source already is refused, however it is written', async () => {
  const exists = problem('source_exists', 409);
  await expect(addSource(host, { url: `${repository.url}/` })).rejects.toEqual(exists);
});

it('the error about a repository without a catalog of the requested kind names the one it has', async () => {
  const single = await makeRepository({
    '.agents/plugins/marketplace.json': agentsCatalog('Single', ['one']),
  });
  await expect(addSource(host, { url: single.url, kind: 'CLAUDE' })).resolves.toMatchObject({
    error: expect.stringMatching(/no \.claude-plugin\/marketplace\.json.*AGENTS/) as string,
  });
  await expect(addSource(host, { url: single.url, kind: 'HOST' })).resolves.toMatchObject({
    error: expect.stringMatching(/address of its JSON/) as string,
  });
  await single.close();
});

it('a folder without a repository, without a catalog or with too large a one is reported', async () => {
  await mkdir(pathOf('plain'));
  const folders: [string, RegExp][] = [
    [pathOf('gone'), /no such repository/],
    [pathOf('plain'), /no such repository/],
  ];
  for (const [folder, reason] of folders) {
    const source = await addSource(host, { url: pathToFileURL(folder).href });
    expect(source.error).toMatch(reason);
    expect(source.error).not.toContain(host.workDirectory);
  }
  const changing = await makeRepository({ 'README.md': 'Nothing.' });
  const { id, error } = await addSource(host, { url: changing.url });
  expect(error).toMatch(/none of the files \.claude-plugin\/marketplace\.json, \.agents/);
  const file = '.claude-plugin/marketplace.json';
  for (const [content, reason] of [
    [' '.repeat(17 * 1024 ** 2), /16 MiB/],
    [{ link: '/etc/passwd' }, /not valid JSON/],
    ['<html>', /web page/],
  ] as const) {
    await changing.commit({ [file]: content });
    await expect(refreshSource(host, id)).resolves.toMatchObject({
      error: expect.stringMatching(reason) as string,
    });
  }
  await changing.commit({ [file]: claudeCatalog('Healed', ['one']) });
  const healed = await refreshSource(host, id);
  expect(healed).toMatchObject({ name: 'Healed', pluginCount: 1 });
  expect(healed.error).toBeUndefined();
  await changing.close();
  expect(await readdir(host.paths.staging)).toEqual([]);
});

it('a repository is read again only if its branch has changed [STORE-09]', async () => {
  const moving = await makeRepository({
    '.claude-plugin/marketplace.json': claudeCatalog('Moving', ['one']),
  });
  const { id } = await addSource(host, { url: moving.url });
  await expect(refreshSource(host, id)).resolves.toMatchObject({ pluginCount: 1 });
  await moving.commit({
    '.claude-plugin/marketplace.json': claudeCatalog('Moving', ['one', 'two']),
  });
  await expect(refreshSource(host, id)).resolves.toMatchObject({ pluginCount: 2 });
  await moving.close();
  const lost = await refreshSource(host, id);
  expect(lost).toMatchObject({ pluginCount: 2, error: expect.any(String) as string });
  expect(lost.error).not.toContain(moving.folder);
  await expect(readdir(host.paths.staging)).resolves.toEqual([]);
});

it('the manifest of a plugin next to its catalog can be read before it is installed', async () => {
  const names = ['told', 'silent', 'linked', 'large', 'deep'];
  const repository = await makeRepository({
    '.claude-plugin/marketplace.json': claudeCatalog('Telling', names),
    'README.md': 'Of the whole.',
    'told/README.md': '# Told\n\nWhat it does, 它做什么.\n',
    'told/docs/README.md': 'Not this one.',
    'silent/notes.md': 'No readme.',
    'linked/README.md': { link: '/etc/passwd' },
    'large/README.md': 'x'.repeat(64 * 1024 + 1),
    'deep/more/README.md': 'Too deep.',
  });
  const { id } = await addSource(host, { url: repository.url });
  const readmeOf = async (name: string): Promise<string | undefined> => {
    const listed = await host.client.call(api.market.list);
    const plugin = listed.find((one) => one.sourceId === id && one.name === name);
    const params = { id: plugin?.id ?? name };
    return (await host.client.call(api.market.details, { params })).readme;
  };
  expect(await readmeOf('told')).toBe('# Told\n\nWhat it does, 它做什么.\n');
  for (const name of names.slice(1))
    expect([name, await readmeOf(name)]).toEqual([name, undefined]);
  await repository.commit({ 'told/README.md': null, 'told/readme.txt': 'Shorter now.' });
  await refreshSource(host, id);
  expect(await readmeOf('told')).toBe('Shorter now.');
  await repository.close();
});
