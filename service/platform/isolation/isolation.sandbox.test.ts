import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { installEscaping } from '../../testing/escaping-plugin.ts';
import { invoke } from '../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { englishText } from '../../testing/english-text.ts';

const sandboxedPlugin = 'acme.boxed';
const online = 'acme.online';
let test: TestHost;
let outside: string;
let server: Server;
let port: number;
beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), 'outside-'));
  await writeFile(join(outside, 'secret.txt'), 'of the user');
  server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  port = await new Promise((resolve) =>
    server.once('listening', () => resolve((server.address() as { port: number }).port)),
  );
  test = await startTestHost({
    sandboxPath: process.env['PATH'],
    machineKey: 'c4nary-machine-key',
  });
  await installEscaping(test, sandboxedPlugin);
  await installEscaping(test, online, ['network']);
});
afterAll(async () => {
  await test.close();
  server.close();
  await rm(outside, { recursive: true });
});

const attempt = (method: string, params: object = {}, id = sandboxedPlugin): Promise<unknown> =>
  invoke(test, id, method, params);
const failed = (...codes: string[]): object => ({
  failed: expect.stringMatching(new RegExp(`^(${codes.join('|')})$`)) as unknown,
});

describe('the report', () => {
  it('reports that a trial ran in the sandbox [ISOLATION-01, ISOLATION-03, ISOLATION-08]', async () => {
    const report = await test.client.call(api.host.isolation);
    const missing = /^(The number of .* administrator\.)? ?(Memory is limited.*)?$/;
    expect(report).toEqual({
      platform: 'linux',
      backend: 'bubblewrap',
      sandboxed: true,
      reduced: false,
      compatibilityMode: false,
      lifecycleIsolation: 'kernel',
      filesystem: 'full',
      network: 'isolated',
      ...(report.resourceLimits === 'cgroup'
        ? { resourceLimits: 'cgroup' }
        : {
            resourceLimits: 'rlimit',
            reason: englishText(missing),
          }),
      unsandboxedPlugins: false,
    });
  });

  it('reports no isolation without bubblewrap, and how to install it [ISOLATION-02]', async () => {
    const bare = await startTestHost({ sandboxPath: outside });
    try {
      const report = await bare.client.call(api.host.isolation);
      expect(report).toMatchObject({
        backend: 'none',
        sandboxed: false,
        compatibilityMode: true,
        lifecycleIsolation: 'tree-kill',
        filesystem: 'none',
        network: 'open',
        reason: englishText(/not installed/),
        advice: englishText(/apt install bubblewrap/),
      });
    } finally {
      await bare.close();
    }
  });
});

describe('a sandboxed worker', () => {
  it('runs as nobody, in its data directory, with a short environment [ISOLATION-05]', async () => {
    expect(await attempt('whoami')).toMatchObject({ uid: 65534, cwd: '/data' });
    const environment = (await attempt('environment')) as Record<string, string>;
    expect(environment).toMatchObject({
      HOME: '/data',
      TMPDIR: '/tmp',
      HOST_PLUGIN_ID: sandboxedPlugin,
      HOST_PLUGIN_DATA: '/data',
      HOST_LOG_LEVEL: 'INFO',
    });
    expect(JSON.stringify(environment)).not.toContain(test.workDirectory);
    expect(Object.keys(environment)).not.toContain('USER');
  });

  it('can read its package and write its data, and write nowhere else [ISOLATION-06]', async () => {
    expect(await attempt('list', { path: '/plugin' })).toEqual({
      done: expect.arrayContaining(['manifest.json', 'backend', 'ui']) as unknown,
    });
    expect(await attempt('write', { path: '/data/mine' })).toEqual({ done: true });
    expect(await readFile(join(test.paths.pluginData, sandboxedPlugin, 'mine'), 'utf8')).toBe(
      'was here',
    );
    const own = `/tmp/mine-${randomUUID()}`;
    expect(await attempt('write', { path: own })).toEqual({ done: true });
    await expect(stat(own)).rejects.toThrow();
    for (const path of ['/plugin/x', '/plugin/manifest.json', '/x', '/usr/x', '/etc/x', '/proc/x'])
      expect(await attempt('write', { path }), path).toEqual(
        failed('EROFS', 'EACCES', 'ENOENT', 'EPERM'),
      );
  });

  it('finds nothing of the user, the host or another plugin [ISOLATION-05]', async () => {
    const hidden = [
      ...['/etc/shadow', '/etc/passwd', join(outside, 'secret.txt'), test.paths.machineId],
      ...[test.paths.dataSource, join(test.paths.database, 'host.db')],
      ...[join(test.paths.pluginData, online), join(test.paths.plugins, online)],
    ];
    for (const path of hidden)
      expect(await attempt('read', { path }), path).toEqual(failed('ENOENT'));
    for (const path of [
      homedir(),
      test.workDirectory,
      import.meta.dirname,
      '/var',
      '/root',
      '/run',
    ])
      expect(await attempt('list', { path }), path).toEqual(failed('ENOENT'));
  });

  it('sees only its own processes, and learns no path, token or key from them', async () => {
    const seen = JSON.stringify(await attempt('processes'));
    for (const secret of [test.token, 'c4nary-machine-key', test.workDirectory, homedir() + '/'])
      expect(seen).not.toContain(secret);
    expect(seen).toContain('worker.mjs');
  });

  it('has no network unless its package asks for it [ISOLATION-07]', async () => {
    expect(await attempt('connect', { port })).toEqual(failed('ECONNREFUSED', 'ENETUNREACH'));
    expect(await attempt('connect', { port: test.port })).toEqual(
      failed('ECONNREFUSED', 'ENETUNREACH'),
    );
    expect(await attempt('connect', { port }, online)).toEqual({ done: true });
    expect(await attempt('read', { path: '/etc/shadow' }, online)).toEqual(failed('ENOENT'));
  });

  it('ends with everything that it started [ISOLATION-04]', async () => {
    const ticking = join(test.paths.pluginData, sandboxedPlugin, 'tick');
    await attempt('orphan', { path: '/data/tick' });
    const read = (): Promise<string> => readFile(ticking, 'utf8').catch(() => '');
    await expect.poll(read).not.toBe('');
    await test.client.call(api.market.setEnabled, {
      params: { id: sandboxedPlugin },
      body: { enabled: false },
    });
    const last = await read();
    const before = Date.now();
    await expect.poll(() => Date.now() - before).toBeGreaterThan(500);
    expect(await read()).toBe(last);
    await test.client.call(api.market.setEnabled, {
      params: { id: sandboxedPlugin },
      body: { enabled: true },
    });
  });
});

describe('with the setting unsandboxedPlugins', () => {
  it('workers restart without the sandbox, as reported, and back [ISOLATION-21, ISOLATION-23]', async () => {
    const set = (unsandboxedPlugins: boolean): Promise<unknown> =>
      test.client.call(api.settings.put, { body: { unsandboxedPlugins } });
    expect(await attempt('whoami')).toMatchObject({ cwd: '/data' });
    await set(true);
    expect(await attempt('whoami')).toMatchObject({
      cwd: join(test.paths.pluginData, sandboxedPlugin),
    });
    expect(await test.client.call(api.host.isolation)).toMatchObject({
      sandboxed: false,
      filesystem: 'none',
      network: 'open',
      unsandboxedPlugins: true,
      reason: englishText(/unsandboxedPlugins/),
    });
    const { errors } = await test.client.call(api.host.diagnostics);
    expect(JSON.stringify(errors)).toContain('without the sandbox from now on');
    await set(false);
    expect(await attempt('whoami')).toMatchObject({ cwd: '/data' });
    expect(await test.client.call(api.host.isolation)).toMatchObject({ sandboxed: true });
  });
});
