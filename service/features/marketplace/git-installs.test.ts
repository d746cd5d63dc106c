import { fork } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { type GitRepository, makeRepository } from '../../testing/store/git-repository.ts';
import { type GitServer, startGitServer } from '../../testing/store/git-server.ts';
import { processesOf } from '../../testing/store/processes-of.ts';
import { type StaticServer, startStaticServer } from '../../testing/store/static-server.ts';
import { catalogue, type Entry, subscribed } from '../../testing/store/subscribed.ts';
import { watchGit } from '../../testing/store/watch-git.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

let host: TestHost;
let web: StaticServer;
let server: GitServer;
let repository: GitRepository;
/** Tags stand at the first, branches at the second and at `dev`, nothing at the one in the middle. */
let commits: Record<'first' | 'middle' | 'second' | 'dev', string>;
const cleanUps: (() => Promise<unknown> | void)[] = [];

beforeAll(async () => {
  host = await startTestHost();
  web = await startStaticServer();
  const file = (text: string) => ({
    'one/skills/sum/SKILL.md': `---\nname: sum\ndescription: Adds.\n---\n${text}\n`,
  });
  repository = await makeRepository(file('first'));
  const first = await repository.git('rev-parse', 'HEAD');
  await repository.git('tag', 'light');
  await repository.git('tag', '--annotate', '--message', 'x', 'heavy');
  const middle = await repository.commit(file('middle'));
  const second = await repository.commit(file('second'));
  await repository.git('checkout', '--quiet', '-b', 'dev/next');
  const dev = await repository.commit(file('dev'));
  await repository.git('checkout', '--quiet', 'main');
  await repository.git('update-server-info');
  commits = { first, middle, second, dev };
  server = await startGitServer({ plugins: repository });
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  server.instead = () => false;
});
afterAll(async () => {
  await host.close();
  await web.close();
  await server.close();
  await repository.remove();
});

const install = (id: string) => host.client.call(api.market.install, { params: { id } });
const details = (id: string) => host.client.call(api.market.details, { params: { id } });
const uninstall = (id: string) =>
  host.client.call(api.market.uninstall, { params: { id }, query: { deleteData: 'true' } });
const inGit = (url: string, more: Record<string, string> = {}): Entry['source'] => ({
  ...{ source: 'git-subdir', url, path: 'one' },
  ...more,
});
const textOf = async (id: string): Promise<string> =>
  (await readFile(join(host.paths.plugins, id, 'skills/sum/SKILL.md'), 'utf8')).split('\n')[4] ??
  '';

function withVariable(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  cleanUps.push(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

/** Starts it and answers how to follow it. */
async function begin(id: string): Promise<string> {
  const answer = await host.ask(`/api/plugin-market/${id}/install`, {
    method: 'POST',
    headers: { Prefer: 'respond-async' },
  });
  expect(answer.status).toBe(202);
  return (answer.json() as { operationId: string }).operationId;
}

describe.each(['file', 'smart', 'plain'] as const)('over the %s protocol', (protocol) => {
  const urls = {
    file: () => repository.url,
    smart: () => server.urlOf('plugins'),
    plain: () => server.plainUrlOf('plugins'),
  };

  it('the commit that the catalog means is installed, or none [MARKET-13] [STORE-06] [LIMIT-21]', async () => {
    const url = urls[protocol]();
    const name = `over-${protocol}`;
    const absent = '0123456789'.repeat(4);
    const cases: Record<string, [more: Record<string, string>, commit: string | null]> = {
      plain: [{}, 'second'],
      branch: [{ ref: 'dev/next' }, 'dev'],
      tag: [{ ref: 'light' }, 'first'],
      annotated: [{ ref: 'heavy' }, 'first'],
      'full-name': [{ ref: 'refs/heads/dev/next' }, 'dev'],
      'pin-of-old': [{ sha: commits.middle }, 'middle'],
      'pin-of-branch': [{ ref: 'dev/next', sha: commits.dev }, 'dev'],
      'pin-behind-branch': [{ ref: 'dev/next', sha: commits.middle }, 'middle'],
      'pin-of-nothing': [{ sha: absent }, null],
      'pin-without-branch': [{ ref: 'gone', sha: absent }, null],
    };
    const catalog = await subscribed(
      host,
      name,
      Object.entries(cases).map(([one, [more]]) => ({ name: one, source: inGit(url, more) })),
      protocol === 'file' ? undefined : web,
    );
    expect(catalog.source).toMatchObject({ id: name, pluginCount: Object.keys(cases).length });
    for (const [one, [, wanted]] of Object.entries(cases)) {
      const id = `claude.${name}.${one}`;
      if (wanted === null) {
        await expect(install(id), one).rejects.toMatchObject({
          problem: { status: 502, code: 'pin_mismatch' },
        });
        expect(await details(id)).toMatchObject({ installed: false });
        expect(await readdir(host.paths.plugins)).not.toContain(id);
        continue;
      }
      await expect(install(id), one).resolves.toMatchObject({ id, contents: { skills: ['sum'] } });
      expect(await textOf(id)).toBe(wanted);
      expect(await details(id)).toMatchObject({
        installed: true,
        commit: commits[wanted as keyof typeof commits],
        sourceId: name,
      });
    }
    expect(await readdir(host.paths.staging)).toEqual([]);
  });

  it('what is not in the repository is named', async () => {
    const url = urls[protocol]();
    const name = `missing-${protocol}`;
    await subscribed(
      host,
      name,
      [
        { name: 'no-folder', source: inGit(url, { path: 'three' }) },
        { name: 'a-file', source: inGit(url, { path: 'one/skills/sum/SKILL.md' }) },
        { name: 'no-branch', source: inGit(url, { ref: 'gone' }) },
        { name: 'no-repository', source: inGit(url.replace(/(?:\.git)?$/, '-gone.git')) },
      ],
      protocol === 'file' ? undefined : web,
    );
    const problems: Record<string, [number, string, RegExp]> = {
      'no-folder': [422, 'invalid_repository', /no folder three/],
      'a-file': [422, 'invalid_repository', /no folder one\/skills\/sum\/SKILL\.md/],
      'no-branch': [502, 'git_failed', /no such branch, tag or commit/],
      'no-repository': [502, 'git_failed', /no such repository/],
    };
    for (const [one, [status, code, detail]] of Object.entries(problems)) {
      await expect(install(`claude.${name}.${one}`), one).rejects.toMatchObject({
        problem: { status, code, detail: expect.stringMatching(detail) as string },
      });
    }
  });
});

it('a server that gives only what branches stand at is asked for their history', async () => {
  const name = 'old-server';
  await subscribed(
    host,
    name,
    [
      { name: 'old', source: inGit(server.urlOf('plugins'), { sha: commits.middle }) },
      { name: 'none', source: inGit(server.urlOf('plugins'), { sha: '0123456789'.repeat(4) }) },
    ],
    web,
  );
  server.instead = (req) => {
    delete req.headers['git-protocol'];
    return false;
  };
  await install(`claude.${name}.old`);
  expect(await textOf(`claude.${name}.old`)).toBe('middle');
  await expect(install(`claude.${name}.none`)).rejects.toMatchObject({
    problem: { status: 502, code: 'pin_mismatch' },
  });
});

describe('a web server', () => {
  const answer = (res: ServerResponse, status: number, location = ''): boolean => {
    res.writeHead(status, location === '' ? {} : { Location: location }).end();
    return true;
  };

  it('that moved a repository is followed, but neither into files nor into a private network', async () => {
    const other = createServer((_, res) => void res.end());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => other.close());
    const port = (other.address() as AddressInfo).port;
    let reached = 0;
    other.on('connection', () => (reached += 1));
    const targets: Record<string, string> = {
      moved: `${server.base}/plugins.git`,
      files: repository.url,
      private: 'http://10.1.2.3',
      metadata: 'http://169.254.169.254/latest',
      'other-scheme': 'ext::sh',
    };
    server.instead = (req, res) => {
      const [, name = '', rest = ''] = /^\/([\w-]+)\.git(.*)$/.exec(req.url ?? '') ?? [];
      const target = targets[name];
      if (target !== undefined) return answer(res, 302, target + rest);
      // First the answer, then somewhere else with what is sent.
      if (name !== 'late') return false;
      if (req.method === 'POST') return answer(res, 307, `http://127.0.0.1:${port}${rest}`);
      req.url = `/plugins.git${rest}`;
      return false;
    };
    await subscribed(
      host,
      'moving',
      [...Object.keys(targets), 'late'].map((name) => ({
        name,
        source: inGit(server.urlOf(name)),
      })),
      web,
    );
    await install('claude.moving.moved');
    expect(await textOf('claude.moving.moved')).toBe('second');
    for (const name of ['files', 'private', 'metadata', 'other-scheme']) {
      await expect(install(`claude.moving.${name}`), name).rejects.toMatchObject({
        problem: { status: 400, code: 'address_refused' },
      });
    }
    await expect(install('claude.moving.late')).rejects.toMatchObject({
      problem: { status: 502, code: 'git_failed' },
    });
    expect(reached).toBe(0);
  });

  it('that refuses is quoted, and nobody is asked for a password', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    server.instead = (req, res) => {
      const status = Number(/^\/status-(\d+)\.git/.exec(req.url ?? '')?.[1]);
      if (!status) return false;
      res.setHeader('WWW-Authenticate', 'Basic realm="x"');
      return answer(res, status);
    };
    const names = ['status-401', 'status-403', 'status-404', 'status-500'];
    await subscribed(
      host,
      'refusing',
      [
        ...names.map((name) => ({ name, source: inGit(server.urlOf(name)) })),
        { name: 'nobody', source: inGit(`http://127.0.0.1:${port}/x.git`) },
      ],
      web,
    );
    const details: Record<string, RegExp> = {
      'status-401': /asks for a sign-in/,
      'status-403': /asks for a sign-in/,
      'status-404': /no such repository/,
      'status-500': /answered 500/,
      nobody: /./,
    };
    for (const [name, detail] of Object.entries(details)) {
      await expect(install(`claude.refusing.${name}`), name).rejects.toMatchObject({
        problem: { status: 502, detail: expect.stringMatching(detail) as string },
      });
    }
  });

  it.each(['resolving', 'receiving'])(
    'that never answers while %s does not keep anybody: cancelled, nothing is left',
    async (phase) => {
      let waiting = 0;
      server.instead = (req) => {
        const silent = /^\/silent\.git/.test(req.url ?? '');
        if (!silent) return false;
        if (phase === 'resolving' || req.method === 'POST') return (waiting += 1) > 0;
        req.url = req.url?.replace('silent', 'plugins');
        return false;
      };
      const name = `silent-${phase}`;
      await subscribed(host, name, [{ name: 'x', source: inGit(server.urlOf('silent')) }], web);
      const id = `claude.${name}.x`;
      const operation = await begin(id);
      await expect.poll(() => waiting).toBeGreaterThan(0);
      const params = { id: operation };
      expect(await host.client.call(api.store.operation, { params })).toMatchObject({
        ...{ pluginId: id, kind: 'install', state: 'running', phase },
      });
      expect((await processesOf(host.paths.staging)).length > 0).toBe(phase === 'receiving');
      const began = performance.now();
      await host.client.call(api.store.cancelOperation, { params });
      expect(performance.now() - began).toBeLessThan(5_000);
      expect(await host.client.call(api.store.operation, { params })).toMatchObject({
        state: 'cancelled',
      });
      expect(await processesOf(host.paths.staging)).toEqual([]);
      expect(await readdir(host.paths.staging)).toEqual([]);
      expect(await details(id)).toMatchObject({ installed: false });
    },
  );

  it('that never answers does not keep the host from closing, and no git is left', async () => {
    let waiting = 0;
    server.instead = (req) => req.method === 'POST' && (waiting += 1) > 0;
    const closing = await startTestHost();
    cleanUps.push(() => closing.close());
    const entry = { name: 'x', source: inGit(server.urlOf('plugins')) };
    await subscribed(closing, 'closing', [entry], web);
    const answer = closing.ask('/api/plugin-market/claude.closing.x/install', { method: 'POST' });
    const settled = answer.then(
      ({ status }) => status,
      () => 0,
    );
    await expect.poll(() => waiting).toBeGreaterThan(0);
    const began = performance.now();
    await closing.stop();
    expect(performance.now() - began).toBeLessThan(5_000);
    expect([0, 503]).toContain(await settled);
    expect(await processesOf(closing.paths.staging)).toEqual([]);
    expect(await readdir(closing.paths.staging)).toEqual([]);
    expect(await readdir(closing.paths.plugins)).toEqual([]);
  });
});

it('entries of a web catalogue do not reach into files, and the store says why [STORE-12]', async () => {
  const plugins = [
    { name: 'files', source: inGit(repository.url) },
    { name: 'private', source: inGit('http://192.168.1.1/x.git') },
    { name: 'option', source: inGit('-u./x') },
    { name: 'ssh', source: inGit('git@example.com:x/y.git') },
    { name: 'git', source: inGit('git://example.com/x.git') },
    { name: 'inside', source: './one' },
    { name: 'npm', source: { source: 'npm', package: 'x' } },
  ];
  const { source } = await subscribed(host, 'reaching', plugins, web);
  expect(source).toMatchObject({ pluginCount: plugins.length });
  for (const { name } of plugins) {
    const id = `claude.reaching.${name}`;
    const shown = await details(id);
    expect(shown).toMatchObject({ installable: false });
    expect(shown.notInstallableReason).toMatch(/^\S.+\.$/);
    await expect(install(id), name).rejects.toMatchObject({
      problem: { status: 409, code: 'not_installable', detail: shown.notInstallableReason },
    });
  }
});

it('names of a catalogue become one safe part of a path each [STORE-10]', async () => {
  const names = ['../../x', 'CON', 'a/b\\c', 'Ünï cödé', '.hidden', 'x'.repeat(300)];
  const bad = ['..', '', '   '];
  const source = inGit(repository.url);
  await writeFile(
    join(host.workDirectory, 'unsafe.json'),
    catalogue('../up', [
      ...[...names, ...bad].map((name) => ({ name, source })),
      { name: 'x', source: inGit(repository.url, { ref: 'dev/next' }) },
    ]),
  );
  const url = `file://${join(host.workDirectory, 'unsafe.json')}`;
  const added = await host.client.call(api.store.addSource, { body: { url } });
  expect(added).toMatchObject({ id: 'up', pluginCount: names.length });
  expect(added.warnings.map(({ entry }) => entry)).toEqual(expect.arrayContaining(['..', 'x']));
  const shown = await host.client.call(api.market.list);
  const ids = shown.filter((one) => one.sourceId === 'up').map(({ id }) => id);
  expect(ids).toHaveLength(names.length);
  for (const id of ids) {
    expect(id).toMatch(/^claude\.up\.[a-z0-9][a-z0-9_-]{0,59}$/);
    await install(id);
    expect(await textOf(id)).toBe('second');
  }
  expect(await readdir(host.paths.plugins)).toEqual(expect.arrayContaining(ids));
  for (const place of ['../x', '../../x', '../../../x']) {
    await expect(stat(join(host.paths.plugins, place))).rejects.toMatchObject({ code: 'ENOENT' });
  }
});

it('git gets no secret of the host and nothing of its environment that could change what it does', async () => {
  const canary = 'canary-4711';
  for (const name of [
    ...['HOST_AUTH_TOKEN', 'HOST_MACHINE_KEY', 'GITHUB_TOKEN', 'AWS_SECRET_ACCESS_KEY'],
    ...['https_proxy', 'ALL_PROXY', 'SSH_AUTH_SOCK', 'GIT_SSH', 'GIT_SSL_NO_VERIFY', 'LC_CANARY'],
    ...['NODE_EXTRA_CA_CERTS', 'BASH_ENV'],
  ]) {
    withVariable(name, canary);
  }
  withVariable('NODE_OPTIONS', '--no-warnings');
  await subscribed(host, 'watched', [{ name: 'x', source: inGit(server.urlOf('plugins')) }], web);
  const witness = await watchGit();
  cleanUps.push(() => witness.restore());
  await install('claude.watched.x');
  const runs = await witness.runs();
  const own = runs.filter(({ args }) => args.includes('fetch') || args.includes('init'));
  expect(own).toHaveLength(2);
  const text = JSON.stringify(runs);
  for (const secret of [canary, host.token, '--no-warnings']) expect(text).not.toContain(secret);
  for (const { env, args } of runs) {
    expect(env).toMatchObject({
      GIT_ALLOW_PROTOCOL: 'https:http',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
    });
    expect(env['HOME']).toContain(host.paths.staging);
    expect(args).toContain('protocol.allow=never');
    expect(args).toContain('protocol.file.allow=never');
  }
  const fetch = own.find(({ args }) => args.includes('fetch'))?.args ?? [];
  expect(fetch.slice(-3)).toEqual(['--', server.urlOf('plugins'), 'HEAD']);
  expect(fetch).toContain('--no-recurse-submodules');
});

it('without git on the machine the remedy is told, and catalogues are read all the same', async () => {
  await subscribed(host, 'gitless', [{ name: 'x', source: inGit(repository.url) }]);
  const nothing = await mkdtemp(join(tmpdir(), 'no-programs-'));
  cleanUps.push(() => rm(nothing, { recursive: true }));
  withVariable('PATH', nothing);
  await expect(install('claude.gitless.x')).rejects.toMatchObject({
    problem: {
      status: 409,
      code: 'git_missing',
      detail: expect.stringMatching(/apt install git/) as string,
    },
  });
  const { source } = await subscribed(
    host,
    'still',
    [{ name: 'x', source: inGit(repository.url) }],
    web,
  );
  expect(source).toMatchObject({ id: 'still', pluginCount: 1 });
  expect(source.error).toBeUndefined();
  const other = await host.client.call(api.store.addSource, { body: { url: repository.url } });
  expect(other.error).toMatch(/apt install git/);
  await host.client.call(api.store.removeSource, { params: { id: other.id } });
});

it('an installed plugin is there after a restart; a damaged one is repaired by installing, or removed', async () => {
  await subscribed(host, 'lasting', [
    { name: 'one', source: inGit(repository.url) },
    { name: 'two', source: inGit(repository.url) },
  ]);
  const [one, two] = ['claude.lasting.one', 'claude.lasting.two'] as const;
  await install(one);
  await install(two);
  for (const id of [one, two]) {
    await host.client.call(api.market.setEnabled, { params: { id }, body: { enabled: false } });
  }
  const before = await details(one);
  const restart = async (): Promise<void> => {
    await host.stop();
    host = await startTestHost({ workDirectory: host.workDirectory });
  };
  await restart();
  expect(await details(one)).toEqual(before);
  expect(before).toMatchObject({
    ...{ installed: true, enabled: false, sourceId: 'lasting', commit: commits.second },
    contents: { skills: ['sum'] },
  });
  for (const id of [one, two]) {
    await writeFile(join(host.paths.plugins, id, '.host-plugin.json'), '{"manifest":');
  }
  await restart();
  for (const id of [one, two]) expect(await details(id)).toMatchObject({ installed: false });
  await expect(install(one)).resolves.toMatchObject({ id: one, enabled: false });
  await uninstall(two);
  await expect(stat(join(host.paths.plugins, two))).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(install(two)).resolves.toMatchObject({ id: two, enabled: true });
});

it('killed at any moment of an install or update, the old or the new copy is there [PLUGIN-25]', async () => {
  const workDirectory = await mkdtemp(join(tmpdir(), 'killed-'));
  cleanUps.push(() => rm(workDirectory, { recursive: true, force: true }));
  const stamped = (stamp: string) =>
    Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`docs/n${n}.txt`, stamp.repeat(500)]));
  const source = await makeRepository(stamped('old'));
  cleanUps.push(() => source.remove());
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
    const after = await startTestHost({ workDirectory });
    cleanUps.push(() => after.stop());
    expect(await readdir(after.paths.staging)).toEqual([]);
    const shown = await after.client.call(api.market.details, { params: { id } });
    if (shown.installed) {
      const docs = join(after.paths.plugins, id, 'docs');
      const names = await readdir(docs);
      expect(names).toHaveLength(60);
      const texts = await Promise.all(names.map((name) => readFile(join(docs, name), 'utf8')));
      expect(new Set(texts)).toEqual(new Set([stamps.get(shown.commit ?? '')?.repeat(500)]));
    } else expect(await readdir(after.paths.plugins)).toEqual([]);
    await expect.poll(() => processesOf(after.paths.staging)).toEqual([]);
    await after.stop();
  }
}, 300_000);
