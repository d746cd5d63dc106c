import { fork } from 'node:child_process';
import { useGitStore } from '../../testing/store/use-git-store.ts';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { api } from '../../contract/index.ts';
import { makeRepository } from '../../testing/store/git-repository.ts';
import { processesOf } from '../../testing/store/processes-of.ts';
import { catalogue, type Entry, subscribed } from '../../testing/store/subscribed.ts';
import { watchGit } from '../../testing/store/watch-git.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { pluginFolders } from '../../testing/plugin-folders.ts';

const store = await useGitStore();
const { web, server, history, install, details, uninstall, textOf } = store;

const inGit = (url: string, more: Record<string, string> = {}): Entry['source'] => ({
  source: 'git-subdir',
  url,
  path: 'one',
  ...more,
});

function withVariable(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

it('entries of a web catalog cannot use files, and the store says why [STORE-12] [LIMIT-21]', async () => {
  const plugins = [
    { name: 'files', source: inGit(history.repository.url) },
    { name: 'private', source: inGit('http://192.168.1.1/x.git') },
    { name: 'option', source: inGit('-u./x') },
    { name: 'ssh', source: inGit('git@example.com:x/y.git') },
    { name: 'git', source: inGit('git://example.com/x.git') },
    { name: 'inside', source: './one' },
    { name: 'npm', source: { source: 'npm', package: 'x' } },
  ];
  const { source } = await subscribed(store.host, 'reaching', plugins, web);
  expect(source).toMatchObject({ pluginCount: plugins.length });
  for (const { name } of plugins) {
    const id = `claude.reaching.${name}`;
    const detail = await details(id);
    expect(detail).toMatchObject({ installable: false });
    expect(detail.notInstallableReason).toMatch(/^\S.+\.$/);
    await expect(install(id), name).rejects.toMatchObject({
      problem: { status: 409, code: 'not_installable', detail: detail.notInstallableReason },
    });
  }
});

it('names in a catalog become one safe path segment each [STORE-10]', async () => {
  const names = ['../../outside-of-it', 'CON', 'a/b\\c', 'Ünï cödé', '.hidden', 'x'.repeat(300)];
  const bad = ['..', '', '   '];
  const source = inGit(history.repository.url);
  await writeFile(
    join(store.host.workDirectory, 'unsafe.json'),
    catalogue('../up', [
      ...[...names, ...bad].map((name) => ({ name, source })),
      { name: 'outside-of-it', source: inGit(history.repository.url, { ref: 'dev/next' }) },
    ]),
  );
  const url = `file://${join(store.host.workDirectory, 'unsafe.json')}`;
  const added = await store.host.client.call(api.store.addSource, { body: { url } });
  expect(added).toMatchObject({ id: 'up', pluginCount: names.length });
  expect(added.warnings.map(({ entry }) => entry)).toEqual(
    expect.arrayContaining(['..', 'outside-of-it']),
  );
  const listed = await store.host.client.call(api.market.list);
  const ids = listed.filter((one) => one.sourceId === 'up').map(({ id }) => id);
  expect(ids).toHaveLength(names.length);
  for (const id of ids) {
    expect(id).toMatch(/^claude\.up\.[a-z0-9][a-z0-9_-]{0,59}$/);
    await install(id);
    expect(await textOf(id)).toBe('second');
  }
  expect(await readdir(store.host.paths.plugins)).toEqual(expect.arrayContaining(ids));
  for (const relative of ['..', '../..', '../../..']) {
    await expect(
      stat(join(store.host.paths.plugins, relative, 'outside-of-it')),
    ).rejects.toMatchObject({
      code: 'ENOENT',
    });
  }
});

it('git gets no secret of the host and no environment variable that could change its behavior', async () => {
  const canary = 'canary-4711';
  for (const name of [
    ...['HOST_AUTH_TOKEN', 'HOST_MACHINE_KEY', 'GITHUB_TOKEN', 'AWS_SECRET_ACCESS_KEY'],
    ...['https_proxy', 'ALL_PROXY', 'SSH_AUTH_SOCK', 'GIT_SSH', 'GIT_SSL_NO_VERIFY', 'LC_CANARY'],
    ...['NODE_EXTRA_CA_CERTS', 'BASH_ENV'],
  ]) {
    withVariable(name, canary);
  }
  withVariable('NODE_OPTIONS', '--no-warnings');
  await subscribed(
    store.host,
    'watched',
    [{ name: 'x', source: inGit(server.urlOf('plugins')) }],
    web,
  );
  const witness = await watchGit();
  onTestFinished(() => witness.restore());
  await install('claude.watched.x');
  const runs = await witness.runs();
  const own = runs.filter(({ args }) => args.includes('fetch') || args.includes('init'));
  expect(own).toHaveLength(2);
  const text = JSON.stringify(runs);
  for (const secret of [canary, store.host.token, '--no-warnings'])
    expect(text).not.toContain(secret);
  for (const { env, args } of runs) {
    expect(env).toMatchObject({
      GIT_ALLOW_PROTOCOL: 'https:http',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
    });
    expect(env['HOME']).toContain(store.host.paths.staging);
    expect(args).toContain('protocol.allow=never');
    expect(args).toContain('protocol.file.allow=never');
  }
  const fetch = own.find(({ args }) => args.includes('fetch'))?.args ?? [];
  expect(fetch.slice(-3)).toEqual(['--', server.urlOf('plugins'), 'HEAD']);
  expect(fetch).toContain('--no-recurse-submodules');
});

it('without git, an error says what to do, and catalogs are still read', async () => {
  await subscribed(store.host, 'gitless', [{ name: 'x', source: inGit(history.repository.url) }]);
  const nothing = await mkdtemp(join(tmpdir(), 'no-programs-'));
  onTestFinished(() => rm(nothing, { recursive: true }));
  withVariable('PATH', nothing);
  await expect(install('claude.gitless.x')).rejects.toMatchObject({
    problem: {
      status: 409,
      code: 'git_missing',
      detail: expect.stringMatching(/apt install git/) as string,
    },
  });
  const { source } = await subscribed(
    store.host,
    'still',
    [{ name: 'x', source: inGit(history.repository.url) }],
    web,
  );
  expect(source).toMatchObject({ id: 'still', pluginCount: 1 });
  expect(source.error).toBeUndefined();
  const other = await store.host.client.call(api.store.addSource, {
    body: { url: history.repository.url },
  });
  expect(other.error).toMatch(/apt install git/);
  await store.host.client.call(api.store.removeSource, { params: { id: other.id } });
});

it('an installed plugin survives a restart; a damaged one can be repaired by installing, or removed', async () => {
  await subscribed(store.host, 'lasting', [
    { name: 'one', source: inGit(history.repository.url) },
    { name: 'two', source: inGit(history.repository.url) },
  ]);
  const [one, two] = ['claude.lasting.one', 'claude.lasting.two'] as const;
  await install(one);
  await install(two);
  for (const id of [one, two]) {
    await store.host.client.call(api.market.setEnabled, {
      params: { id },
      body: { enabled: false },
    });
  }
  const before = await details(one);
  const restart = async (): Promise<void> => {
    await store.host.stop();
    store.host = await startTestHost({ workDirectory: store.host.workDirectory });
  };
  await restart();
  expect(await details(one)).toEqual(before);
  expect(before).toMatchObject({
    installed: true,
    enabled: false,
    sourceId: 'lasting',
    commit: history.commits.second,
    contents: { skills: ['sum'] },
  });
  for (const id of [one, two]) {
    await writeFile(join(store.host.paths.plugins, id, '.host-plugin.json'), '{"manifest":');
  }
  await restart();
  for (const id of [one, two]) expect(await details(id)).toMatchObject({ installed: false });
  await expect(install(one)).resolves.toMatchObject({ id: one, enabled: false });
  await uninstall(two);
  await expect(stat(join(store.host.paths.plugins, two))).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(install(two)).resolves.toMatchObject({ id: two, enabled: true });
});

it('after a kill at any moment of an install or update, the old or the new copy is complete [PLUGIN-25]', async () => {
  const workDirectory = await mkdtemp(join(tmpdir(), 'killed-'));
  onTestFinished(() => rm(workDirectory, { recursive: true, force: true }));
  const stamped = (stamp: string) =>
    Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`docs/n${n}.txt`, stamp.repeat(500)]));
  const source = await makeRepository(stamped('old'));
  onTestFinished(() => source.close());
  const stamps = new Map([[await source.git('rev-parse', 'HEAD'), 'old']]);
  stamps.set(await source.commit(stamped('new')), 'new');
  const catalog = join(workDirectory, 'killed.json');
  await writeFile(
    catalog,
    catalogue('killed', [{ name: 'x', source: { source: 'url', url: source.url } }]),
  );
  const id = 'claude.killed.x';
  const script = join(import.meta.dirname, '..', '..', 'testing', 'store', 'updating-store.ts');
  const args = [workDirectory, source.folder, catalog, id, ...stamps.keys()];
  for (let round = 0; round < 4; round += 1) {
    const child = fork(script, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    await new Promise((resolve) => child.once('message', resolve));
    const killAfterMs = Math.exp(Math.random() * Math.log(1_000));
    await new Promise((resolve) => setTimeout(resolve, killAfterMs));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    await expect.poll(() => processesOf(join(workDirectory, '.host', 'staging'))).toEqual([]);
    const after = await startTestHost({ workDirectory });
    onTestFinished(() => after.stop());
    await expect.poll(() => readdir(after.paths.staging)).toEqual([]);
    const detail = await after.client.call(api.market.details, { params: { id } });
    if (detail.installed) {
      const docs = join(after.paths.plugins, id, 'docs');
      const names = await readdir(docs);
      expect(names).toHaveLength(60);
      const texts = await Promise.all(names.map((name) => readFile(join(docs, name), 'utf8')));
      expect(new Set(texts)).toEqual(new Set([stamps.get(detail.commit ?? '')?.repeat(500)]));
    } else expect(await pluginFolders(after.paths.plugins)).toEqual([]);
    await after.stop();
  }
}, 300_000);
