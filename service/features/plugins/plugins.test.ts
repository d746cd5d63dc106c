import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type PluginLogEvent } from '../../contract/index.ts';
import { localOrigins, pagePolicy } from '../../contract/page-policies.ts';
import { installSample, invoke } from '../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { isAlive } from '../../testing/workers/is-alive.ts';

let host: TestHost;
const id = 'acme.demo';

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const problem = (code: string, status: number): unknown =>
  expect.objectContaining({ problem: expect.objectContaining({ code, status }) as unknown });

const pidOf = async (plugin = id): Promise<number> =>
  ((await invoke(host, plugin, 'place')) as { pid: number }).pid;
const show = (plugin = id) => host.client.call(api.plugins.show, { params: { id: plugin } });
const setEnabled = (enabled: boolean, plugin = id) =>
  host.client.call(api.market.setEnabled, { params: { id: plugin }, body: { enabled } });

describe('an installed plugin', () => {
  it('is described by its manifest [PLUGIN-05, PLUGIN-07, PLUGIN-09, PLUGIN-10, PLUGIN-11, PLUGIN-13, PLUGIN-14, MARKET-01, MARKET-20]', async () => {
    const manifest = {
      name: 'Démo',
      description: 'Does things',
      author: 'Acme',
      category: 'data',
      icon: 'bolt',
      version: '1.2.3',
      permissions: ['files.read', 'notifications'],
      aiTools: [{ name: 'echo_it', description: 'd', method: 'echo' }],
    };
    const installed = await installSample(host, { manifest });
    const { aiTools, ...plain } = manifest;
    expect(installed).toMatchObject({
      id,
      ...plain,
      iconStyle: 'BLUE',
      supportsAi: true,
      source: 'THIRD_PARTY',
      enabled: true,
      state: 'stopped',
    });
    const [listed] = await host.client.call(api.market.list);
    expect(listed).toMatchObject({
      id,
      installed: true,
      installedVersion: '1.2.3',
      source: 'THIRD_PARTY',
      supportsAi: true,
      enabled: true,
    });
    expect(listed?.manifest.aiTools).toEqual([{ ...aiTools[0], effect: 'external' }]);
    expect(Object.keys(listed?.manifest.methods ?? {})).toContain('echo');
  });

  it('has a page at its uiEntry, without a token and with a strict policy [PLUGIN-06, PLUGIN-18, PLUGIN-19, AUTH-05]', async () => {
    const { uiEntry } = await show();
    const answer = await fetch(uiEntry, { headers: { Origin: 'null' } });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<title>Demo</title>');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('x-dns-prefetch-control')).toBe('off');
    const policy = pagePolicy(localOrigins(host.port));
    expect(answer.headers.get('content-security-policy')).toBe(policy);
  });

  it('provides the bridge to its page as a script and as a module', async () => {
    const script = await host.ask(`/plugin-runtime/${id}/_host/plugin-client.js`);
    const module = await host.ask(`/plugin-runtime/${id}/_host/plugin-client.mjs`);
    expect([script.status, module.status]).toEqual([200, 200]);
    expect(module.text).toMatch(/export\s*\{[^}]*PluginClient/);
    expect(script.headers['content-type']).toContain('text/javascript');
    expect((await host.ask(`/plugin-runtime/${id}/_host/other.js`)).status).toBe(404);
  });

  it('serves no other file', async () => {
    for (const path of ['manifest.json', 'backend/worker.mjs', '.env', 'nothing.html', '']) {
      const answer = await host.ask(`/plugin-runtime/${id}/${path}`, {
        headers: { 'X-Host-Token': '' },
      });
      expect([403, 404], path).toContain(answer.status);
    }
  });

  it('is called in its own process, which starts with the first call [PLUGIN-15, PLUGIN-27, WORKER-01, WORKER-02]', async () => {
    expect((await show()).state).toBe('stopped');
    const params = { text: 'héllo\n', list: [1, { a: null }] };
    await expect(invoke(host, id, 'echo', params)).resolves.toEqual(params);
    expect((await show()).state).toBe('running');
    const pid = await pidOf();
    expect(pid).not.toBe(process.pid);
    expect(isAlive(pid)).toBe(true);
  });

  it('answers concurrent calls with their own results [PLUGIN-16]', async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) => invoke(host, id, 'echo', { n })),
    );
    expect(results).toEqual(Array.from({ length: 50 }, (_, n) => ({ n })));
  });

  it('forwards an error returned by the worker', async () => {
    const body = { callId: 'f', method: 'fail' };
    const reply = await host.client.call(api.plugins.invoke, { params: { id }, body });
    expect(reply).toEqual({
      callId: 'f',
      error: { code: -5, message: 'no such word', data: { word: 'x' } },
    });
  });

  it('refuses a method that is not in its manifest, and an unknown plugin', async () => {
    await expect(invoke(host, id, 'toString')).rejects.toEqual(problem('unknown_method', 404));
    await expect(invoke(host, 'no.such', 'echo')).rejects.toEqual(problem('unknown_plugin', 404));
  });

  it('validates parameters against the schema of the method, and names the invalid field', async () => {
    const params = {
      type: 'object',
      required: ['text'],
      properties: { text: { type: 'string', pattern: '^(a+)+$' } },
    };
    await installSample(host, { manifest: { id: 'acme.strict', methods: { echo: { params } } } });
    await expect(invoke(host, 'acme.strict', 'echo', { text: 'aaa' })).resolves.toEqual({
      text: 'aaa',
    });
    const refused = invoke(host, 'acme.strict', 'echo', { text: 5 });
    await expect(refused).rejects.toEqual(problem('invalid_params', 400));
    await expect(refused).rejects.toMatchObject({ problem: { errors: [{ path: 'params.text' }] } });
    const started = performance.now();
    await expect(
      invoke(host, 'acme.strict', 'echo', { text: `${'a'.repeat(5_000)}!` }),
    ).rejects.toEqual(problem('invalid_params', 400));
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('refuses a callId that is in use', async () => {
    const body = { callId: 'same', method: 'hang' };
    const first = host.client
      .call(api.plugins.invoke, { params: { id }, body })
      .catch((error: unknown) => error);
    await expect
      .poll(async () =>
        host.client
          .call(api.plugins.invoke, { params: { id }, body: { ...body, method: 'echo' } })
          .then(
            () => 'free',
            (error: unknown) => (error as { problem: { code: string } }).problem.code,
          ),
      )
      .toBe('call_id_in_use');
    await host.client.call(api.plugins.cancel, { params: { id, callId: 'same' } });
    await expect(first).resolves.toEqual(problem('call_cancelled', 409));
  });
});

describe('a failing call', () => {
  it('is cancelled together with its worker, which restarts with the next call [PLUGIN-17, PLUGIN-30, WORKER-06]', async () => {
    const before = await pidOf();
    const body = { callId: 'stuck', method: 'spin' };
    const stuck = host.client
      .call(api.plugins.invoke, { params: { id }, body })
      .catch((error: unknown) => error);
    await expect
      .poll(() => host.client.call(api.plugins.cancel, { params: { id, callId: 'stuck' } }))
      .toEqual({ cancelled: true });
    await expect(stuck).resolves.toEqual(problem('call_cancelled', 409));
    await expect(stuck).resolves.toMatchObject({ problem: { rpcCode: -32002 } });
    await expect.poll(() => isAlive(before)).toBe(false);
    expect(await pidOf()).not.toBe(before);
    await expect(
      host.client.call(api.plugins.cancel, { params: { id, callId: 'stuck' } }),
    ).resolves.toEqual({ cancelled: false });
  });

  it.each([{ code: 1 }, { code: 0 }])(
    'rejects at once when the worker exits with $code, without affecting other plugins [WORKER-05, WORKER-07]',
    async ({ code }) => {
      await installSample(host, { manifest: { id: `acme.crash${code}` } });
      const other = invoke(host, id, 'slow', { milliseconds: 300 });
      const failed = invoke(host, `acme.crash${code}`, 'exit', { code });
      await expect(failed).rejects.toEqual(problem('worker_crashed', 502));
      await expect(failed).rejects.toMatchObject({ problem: { rpcCode: -32001 } });
      await expect(other).resolves.toBe('slow');
      await expect(invoke(host, `acme.crash${code}`, 'echo', { again: true })).resolves.toEqual({
        again: true,
      });
    },
  );

  it('reports the last stderr lines of the worker', async () => {
    await installSample(host, { manifest: { id: 'acme.sad' } });
    await expect(invoke(host, 'acme.sad', 'complainAndExit', { lines: 30 })).rejects.toThrow(
      /trouble 30/,
    );
  });

  it('three times within a minute quarantines the plugin, with a notification, until it is enabled again', async () => {
    await installSample(host, { manifest: { id: 'acme.doomed', name: 'Doomed' } });
    for (let i = 0; i < 3; i += 1)
      await expect(invoke(host, 'acme.doomed', 'exit', { code: 7 })).rejects.toThrow();
    await expect(invoke(host, 'acme.doomed', 'echo')).rejects.toEqual(
      problem('plugin_quarantined', 409),
    );
    expect(await show('acme.doomed')).toMatchObject({
      state: 'quarantined',
      stateReason: expect.stringContaining('3 times') as string,
    });
    const list = (): Promise<{ title: string }[]> => host.client.call(api.notifications.list);
    await expect
      .poll(list)
      .toContainEqual(expect.objectContaining({ title: 'Doomed was stopped', level: 'error' }));
    await setEnabled(true, 'acme.doomed');
    await expect(invoke(host, 'acme.doomed', 'echo', { ok: 1 })).resolves.toEqual({ ok: 1 });
  });

  it('times out as declared in the manifest', async () => {
    await installSample(host, {
      manifest: { id: 'acme.slow', methods: { hang: { timeoutSeconds: 0.3 }, echo: {} } },
    });
    await expect(invoke(host, 'acme.slow', 'hang')).rejects.toEqual(
      problem('worker_timed_out', 504),
    );
    await expect(invoke(host, 'acme.slow', 'echo', {})).resolves.toEqual({});
  });

  it('with other output on stdout continues after it and logs a warning [WORKER-03, WORKER-08]', async () => {
    await expect(
      invoke(host, id, 'noise', { lines: ['rubbish', '{"half":', '[1]'] }),
    ).resolves.toBe('after noise');
    const logs = await host.client.call(api.plugins.logs, { params: { id } });
    expect(logs).toContainEqual(
      expect.objectContaining({
        level: 'WARN',
        message: expect.stringContaining('rubbish') as string,
      }),
    );
  });
});

describe('enabling and disabling', () => {
  it('disabling stops the worker, rejects its calls and hides the plugin [PLUGIN-03, PLUGIN-08, PLUGIN-12, PLUGIN-28, PLUGIN-29, MARKET-15]', async () => {
    const pid = await pidOf();
    const running = invoke(host, id, 'hang').catch((error: unknown) => error);
    await expect
      .poll(async () =>
        ((await invoke(host, id, 'received')) as { method: string }[]).some(
          ({ method }) => method === 'hang',
        ),
      )
      .toBe(true);
    const disabled = await setEnabled(false);
    expect(disabled).toMatchObject({ enabled: false, source: 'THIRD_PARTY' });
    expect(isAlive(pid)).toBe(false);
    await expect(running).resolves.toEqual(problem('plugin_disabled', 409));
    await expect(running).resolves.toMatchObject({ problem: { rpcCode: -32003 } });
    await expect(invoke(host, id, 'echo')).rejects.toEqual(problem('plugin_disabled', 409));
    const enabledIds = (await host.client.call(api.plugins.list)).map((plugin) => plugin.id);
    expect(enabledIds).not.toContain(id);
    expect((await host.ask(`/plugin-runtime/${id}/index.html`)).status).toBe(404);
  });

  it('enabling does not start the worker [PLUGIN-26]', async () => {
    await expect(setEnabled(true)).resolves.toMatchObject({
      enabled: true,
      state: 'stopped',
      source: 'THIRD_PARTY',
    });
    expect((await show()).state).toBe('stopped');
    await expect(invoke(host, id, 'echo', { back: true })).resolves.toEqual({ back: true });
  });
});

describe('the log of a plugin', () => {
  it('contains the log messages and the stderr output of the worker [LOG-01, LOG-02, LOG-03, WORKER-04]', async () => {
    await invoke(host, id, 'log', {
      level: 'WARN',
      logger: 'demo.Main',
      thread: 'main',
      message: 'careful',
    });
    await invoke(host, id, 'stderr', { text: 'old style\n' });
    const logs = (): Promise<PluginLogEvent[]> =>
      host.client.call(api.plugins.logs, { params: { id } });
    await expect
      .poll(logs)
      .toContainEqual(
        expect.objectContaining({ message: 'old style', logger: null, thread: null }),
      );
    const all = await logs();
    expect(all).toContainEqual(
      expect.objectContaining({
        level: 'WARN',
        logger: 'demo.Main',
        thread: 'main',
        message: 'careful',
      }),
    );
    for (const event of all)
      expect(Object.keys(event).sort()).toEqual([
        'level',
        'logger',
        'message',
        'sequence',
        'thread',
        'timestamp',
      ]);
    const sequences = all.map((event) => event.sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
  });

  it('is streamed: recent events first, then new ones [LOG-04]', async () => {
    const leaving = new AbortController();
    const stream = host.client.stream(api.plugins.logStream, {
      params: { id },
      signal: leaving.signal,
    });
    const first = await stream.next();
    expect(first.value).toMatchObject({ event: 'log', data: { sequence: 1 } });
    await invoke(host, id, 'log', {
      level: 'INFO',
      logger: 'l',
      thread: 't',
      message: 'fresh one',
    });
    for await (const { data } of stream) if (data.message === 'fresh one') break;
    leaving.abort();
  });
});

describe('the log level', () => {
  it('is sent to running workers at once and passed to new ones in their environment [SETTINGS-10]', async () => {
    await invoke(host, id, 'echo');
    await host.client.call(api.settings.put, { body: { logLevel: 'TRACE' } });
    const received = async (): Promise<unknown> => invoke(host, id, 'received');
    await expect
      .poll(received)
      .toContainEqual({ method: 'host.logLevel', params: { level: 'TRACE' } });
    await setEnabled(false);
    await setEnabled(true);
    await expect(invoke(host, id, 'environment')).resolves.toMatchObject({
      HOST_LOG_LEVEL: 'TRACE',
      HOST_PLUGIN_ID: id,
    });
  });
});

describe('replacing and removing', () => {
  it('an upload of the same id replaces the plugin and keeps its enabled state and data [PLUGIN-04, PLUGIN-20, PLUGIN-21, PLUGIN-22, PLUGIN-24, MARKET-08, MARKET-09]', async () => {
    const plugin = 'acme.update';
    await installSample(host, { manifest: { id: plugin, version: '2.0.0' } });
    const pid = await pidOf(plugin);
    await expect(
      installSample(host, { manifest: { id: plugin, version: '1.0.0' } }),
    ).resolves.toMatchObject({ version: '1.0.0', enabled: true });
    expect(isAlive(pid)).toBe(false);
    await setEnabled(false, plugin);
    await expect(
      installSample(host, { manifest: { id: plugin, version: '3.0.0' } }),
    ).resolves.toMatchObject({ version: '3.0.0', enabled: false });
    const all = await host.client.call(api.market.list);
    expect(all.filter((one) => one.id === plugin)).toHaveLength(1);
  });

  it('requires a decision about the data [MARKET-16]', async () => {
    for (const query of ['', '?deleteData=', '?deleteData=yes']) {
      expect(
        (await host.ask(`/api/plugin-market/acme.update${query}`, { method: 'DELETE' })).status,
      ).toBe(400);
    }
    expect((await show('acme.update')).id).toBe('acme.update');
  });

  it('keeps or deletes the data as requested [PLUGIN-31, PLUGIN-32, PLUGIN-34]', async () => {
    const plugin = 'acme.leaving';
    const data = join(host.workDirectory, '.host', 'plugin-data', plugin);
    const packageFolder = join(host.workDirectory, '.host', 'plugins', plugin);
    await installSample(host, { manifest: { id: plugin } });
    const pid = await pidOf(plugin);
    await host.client.call(api.market.uninstall, {
      params: { id: plugin },
      query: { deleteData: 'false' },
    });
    expect(isAlive(pid)).toBe(false);
    await expect(stat(packageFolder)).rejects.toThrow('ENOENT');
    expect((await stat(data)).isDirectory()).toBe(true);
    await expect(show(plugin)).rejects.toEqual(problem('unknown_plugin', 404));
    await installSample(host, { manifest: { id: plugin } });
    await host.client.call(api.market.uninstall, {
      params: { id: plugin },
      query: { deleteData: 'true' },
    });
    await expect(stat(data)).rejects.toThrow('ENOENT');
  });

  it('survives a restart with its state [PLUGIN-23]', async () => {
    await installSample(host, { manifest: { id: 'acme.sleeper' } });
    await setEnabled(false, 'acme.sleeper');
    await host.stop();
    host = await startTestHost({ workDirectory: host.workDirectory });
    const listed = await host.client.call(api.market.list);
    expect(listed.find((one) => one.id === 'acme.sleeper')).toMatchObject({
      enabled: false,
      source: 'THIRD_PARTY',
    });
    const manifest = await readFile(
      join(host.workDirectory, '.host', 'plugins', id, 'manifest.json'),
      'utf8',
    );
    expect(JSON.parse(manifest)).toMatchObject({ id });
  });
});

it('the installation time differs for each installed copy, and survives a restart', async () => {
  const timed = 'com.example.timed';
  const timeOf = async () => (await show(timed)).installedAt ?? '';
  await installSample(host, { manifest: { id: timed } });
  const first = await timeOf();
  await installSample(host, { manifest: { id: timed } });
  const second = await timeOf();
  expect(Date.parse(second)).toBeGreaterThan(Date.parse(first));
  const listed = await host.client.call(api.market.list, { query: { installed: 'true' } });
  expect(listed.find((one) => one.id === timed)?.installedAt).toBe(second);
  await invoke(host, timed, 'echo', {});
  await host.stop();
  host = await startTestHost({ workDirectory: host.workDirectory });
  expect(await timeOf()).toBe(second);
});

it('categories have keys for translation [PLUGIN-02]', async () => {
  const categories = await host.client.call(api.plugins.categories);
  expect(categories).toHaveLength(10);
  for (const one of categories)
    expect(one).toEqual({
      id: one.id,
      labelKey: `plugin.category.${one.id}`,
      icon: expect.any(String) as string,
    });
});
