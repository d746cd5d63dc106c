import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../../../testing/workers/is-alive.ts';
import {
  workerErrorOf,
  messagesOf,
  useTestWorkers,
} from '../../../testing/workers/use-test-workers.ts';
import type { WorkerConfig } from '../config/plugin-configs.ts';

const mebibyte = 1024 * 1024;

const use = useTestWorkers();

describe('a worker', () => {
  it('is started once by the first call, and keeps running', async () => {
    const { worker, call } = await use('versatile.mjs');
    expect(worker.state).toBe('stopped');
    const first = call('place');
    expect(worker.state).toBe('starting');
    const [one, two] = (await Promise.all([first, call('place')])) as { pid: number }[];
    expect(worker.state).toBe('running');
    expect(two).toEqual(one);
    expect(await call('place')).toEqual(one);
  });

  it('runs in its data directory, readable only for the owner, with its memory limit', async () => {
    const { test, call } = await use('versatile.mjs', {
      manifest: { worker: { runtime: 'node', memoryMb: 77 } },
    });
    const directory = join(test.root, 'data', 'com.example.test');
    expect(await call('place')).toMatchObject({
      directory,
      arguments: ['--max-old-space-size=77'],
    });
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it('receives the initialize message first, without waiting for its answer', async () => {
    const { test, call } = await use('versatile.mjs', {
      environment: {
        locale: () => 'zh-CN',
        config: () => Promise.resolve({ values: { key: 'value' }, mounts: [] }),
      },
    });
    const received = (await call('received')) as { method: string }[];
    expect(received.map(({ method }) => method)).toEqual(['host.initialize', 'received']);
    expect(await call('initialized')).toEqual({
      pluginId: 'com.example.test',
      dataDirectory: join(test.root, 'data', 'com.example.test'),
      locale: 'zh-CN',
      config: { key: 'value' },
    });
  });

  it('may be an old one that does not know the initialize message', async () => {
    const { call, log } = await use('old.mjs');
    expect(await call('echo', { text: 'ä€😀' })).toEqual({ text: 'ä€😀' });
    expect(await workerErrorOf(call('other'))).toMatchObject({
      kind: 'worker-error',
      rpcCode: -32601,
    });
    expect(messagesOf(log)).toEqual([]);
  });

  it('returns results and its own errors', async () => {
    const { call } = await use('versatile.mjs');
    const params = { nested: [1, { deep: null }], text: 'line\nbreak \u2028 \u2029 "' };
    expect(await call('echo', params)).toEqual(params);
    expect(await workerErrorOf(call('fail'))).toMatchObject({
      kind: 'worker-error',
      rpcCode: -5,
      message: 'no such word',
      data: { word: 'x' },
    });
    const large = { text: 'ä'.repeat(4 * mebibyte) };
    expect(await call('echo', large)).toEqual(large);
  });

  it('answers a thousand concurrent calls', async () => {
    const { call } = await use('versatile.mjs');
    const numbers = Array.from({ length: 1_000 }, (_, index) => index);
    expect(await Promise.all(numbers.map((number) => call('echo', [number])))).toEqual(
      numbers.map((number) => [number]),
    );
  });

  it('reports progress to the right call', async () => {
    const { call } = await use('versatile.mjs');
    const progress: unknown[] = [];
    const onProgress = (step: unknown): void => void progress.push(step);
    await call('progress', {}, { callId: 'mine', onProgress });
    expect(progress).toEqual([{ callId: 'mine', percent: 40, message: 'half' }]);
  });

  it('gets an error for requests, since the host offers no methods', async () => {
    const { call } = await use('versatile.mjs');
    expect(await call('askHost')).toMatchObject({ id: 'mine', error: { code: -32601 } });
  });

  it('receives a new log level at once, and inherits it at the next start', async () => {
    let level: 'INFO' | 'DEBUG' = 'INFO';
    const { worker, call } = await use('versatile.mjs', {
      environment: { logLevel: () => level },
    });
    worker.setLogLevel('DEBUG');
    expect(worker.state).toBe('stopped');
    expect(await call('environment')).toMatchObject({ HOST_LOG_LEVEL: 'INFO' });
    level = 'DEBUG';
    worker.setLogLevel(level);
    const received = (await call('received')) as { method: string }[];
    expect(received).toContainEqual({ method: 'host.logLevel', params: { level: 'DEBUG' } });
    await worker.stop('replaced');
    expect(await call('environment')).toMatchObject({ HOST_LOG_LEVEL: 'DEBUG' });
  });
});

describe('the log of a worker', () => {
  it('contains its stderr and its log messages', async () => {
    const { call, log } = await use('versatile.mjs');
    await call('stderr', { text: 'one\ntwo\r\n\nthree' });
    await call('log', { level: 'debug', logger: 'a.B', thread: 'main', message: 'hello' });
    await call('log', { message: { structured: true } });
    await expect
      .poll(() => log.recent().map(({ timestamp: _t, sequence: _s, ...event }) => event))
      .toEqual(
        expect.arrayContaining([
          { level: 'INFO', logger: null, thread: null, message: 'one' },
          { level: 'INFO', logger: null, thread: null, message: 'two' },
          { level: 'DEBUG', logger: 'a.B', thread: 'main', message: 'hello' },
          { level: 'INFO', logger: null, thread: null, message: '{"structured":true}' },
        ]),
      );
    expect(log.recent().map((event) => event.sequence)).toEqual([1, 2, 3, 4]);
  });

  it('reports that a logged value is not text, or too large', async () => {
    const { call, log } = await use('versatile.mjs');
    const large = 'The worker logged a large value instead of a text.';
    await call('log', { message: Array.from({ length: 2_000 }, () => 0) });
    await call('log', { message: 7 });
    await call('log', {});
    await expect.poll(() => messagesOf(log)).toEqual([large, '7', '']);
  });

  it('warns about other output on stdout, which affects no call', async () => {
    const { call, log } = await use('versatile.mjs');
    const lines = ['Hello!', '{"level":"info"}', '[1,2]', `{"broken": ${'x'.repeat(500)}`];
    expect(await call('noise', { lines })).toBe('after noise');
    const warnings = log.recent().filter((event) => event.level === 'WARN');
    expect(warnings.map((event) => event.message)).toEqual(
      lines.map(
        (line) => `worker wrote something that is not JSON-RPC on stdout: ${line.slice(0, 200)}`,
      ),
    );
  });

  it('shortens a stderr line of any length', async () => {
    const { call, log } = await use('versatile.mjs');
    await call('stderr', { text: `${'e'.repeat(3 * mebibyte)}\nnext\n` });
    await expect.poll(() => messagesOf(log)).toContain('next');
    expect(log.recent()).toHaveLength(2);
    expect(log.recent()[0]?.message).toMatch(/^e{100,8192}…?$/);
  });
});

describe('cancelling a call (W-02)', () => {
  it('stops a stuck handler and its child processes, and rejects all calls of the worker', async () => {
    const { worker, call } = await use('versatile.mjs');
    const family = Object.values((await call('family')) as Record<string, number>);
    const other = workerErrorOf(call('hang'));
    const stuck = workerErrorOf(call('spin', {}, { callId: 'stuck' }));
    const startedMs = performance.now();
    expect(worker.cancel('stuck')).toBe(true);
    expect(await stuck).toMatchObject({ kind: 'cancelled', rpcCode: -32002 });
    expect(await other).toMatchObject({ kind: 'crashed', rpcCode: -32001 });
    expect((await other).message).toContain('because another call was cancelled');
    await expect.poll(() => family.filter((pid) => isAlive(pid))).toEqual([]);
    // Long before the time-out of the calls.
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    expect(worker.state).toBe('stopped');
    expect(await call('echo', 'again')).toBe('again');
  });

  it('tells the worker which call was cancelled', async () => {
    const { worker, call, log } = await use('tattler.mjs');
    await call('first');
    const stuck = workerErrorOf(call('second', {}, { callId: 'stuck' }));
    await expect.poll(() => messagesOf(log)).toContain('got second 3');
    worker.cancel('stuck');
    await stuck;
    await expect.poll(() => messagesOf(log)).toContain('told to cancel 3');
  });

  it('never starts the next worker before the last one has exited', async () => {
    const { worker, call } = await use('versatile.mjs');
    const family = Object.values((await call('family')) as Record<string, number>);
    const stuck = workerErrorOf(call('spin', {}, { callId: 'stuck' }));
    worker.cancel('stuck');
    await call('place');
    expect(family.filter((pid) => isAlive(pid))).toEqual([]);
    await stuck;
  });

  it('returns false if there is no such call', async () => {
    const { worker, call } = await use('versatile.mjs');
    expect(worker.cancel('none')).toBe(false);
    const { pid } = (await call('place', {}, { callId: 'over' })) as { pid: number };
    expect(worker.cancel('over')).toBe(false);
    expect(await call('place')).toMatchObject({ pid });
  });

  it('works while the worker is still starting', async () => {
    let release = (): void => undefined;
    const config = new Promise<WorkerConfig>((resolve) => {
      release = () => resolve({ values: {}, mounts: [] });
    });
    const { worker, call } = await use('versatile.mjs', { environment: { config: () => config } });
    const early = workerErrorOf(call('echo', 1, { callId: 'early' }));
    expect(worker.cancel('early')).toBe(true);
    expect(await early).toMatchObject({ kind: 'cancelled' });
    release();
    expect(await call('echo', 2)).toBe(2);
  });
});

describe('stopping a worker', () => {
  it('rejects its calls with the reason, including calls made meanwhile', async () => {
    const { worker, call } = await use('versatile.mjs');
    const { pid } = (await call('place')) as { pid: number };
    const hanging = workerErrorOf(call('hang'));
    const stopping = worker.stop('disabled');
    expect(await hanging).toMatchObject({ kind: 'disabled', rpcCode: -32003 });
    expect(await workerErrorOf(call('echo', 1))).toMatchObject({ kind: 'disabled' });
    await stopping;
    expect(isAlive(pid)).toBe(false);
    expect(worker.state).toBe('stopped');
    worker.release();
    expect(await call('echo', 1)).toBe(1);
  });

  it('gives the reason when the plugin is replaced or the host closes', async () => {
    const { worker, call } = await use('versatile.mjs');
    for (const [reason, why] of [
      ['replaced', 'another version is being installed'],
      ['closing', 'is closing'],
    ] as const) {
      await call('echo', 1);
      const hanging = workerErrorOf(call('hang'));
      await worker.stop(reason);
      expect(await hanging).toMatchObject({ rpcCode: -32001 });
      expect((await hanging).message).toContain(why);
    }
  });

  it('has no effect on a worker that was never started', async () => {
    const { worker } = await use('versatile.mjs');
    await worker.stop('closing');
    expect(worker.state).toBe('stopped');
  });
});

describe('the environment of a worker (W-07)', () => {
  const secrets = {
    OPENAI_API_KEY: 'secret',
    AWS_SECRET_ACCESS_KEY: 'secret',
    HOST_AUTH_TOKEN: 'secret',
    HOST_MACHINE_KEY: 'secret',
    NODE_OPTIONS: '--no-warnings',
    ELECTRON_RUN_AS_NODE: '1',
  };
  beforeAll(() => void Object.assign(process.env, secrets));
  afterAll(() => {
    for (const name of Object.keys(secrets)) delete process.env[name];
  });

  it('contains only the listed variables', async () => {
    const { call, test } = await use('versatile.mjs');
    const environment = (await call('environment')) as Record<string, string>;
    expect(environment).toMatchObject({
      PATH: process.env['PATH'],
      HOST_LOG_LEVEL: 'INFO',
      HOST_PLUGIN_ID: 'com.example.test',
      HOST_PLUGIN_DATA: join(test.root, 'data', 'com.example.test'),
    });
    const expectedNames =
      /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|HOST_LOG_LEVEL|HOST_PLUGIN_ID|HOST_PLUGIN_DATA|HOST_PROCESS_TREE)$/;
    expect(Object.keys(environment).filter((name) => !expectedNames.test(name))).toEqual([]);
    expect(JSON.stringify(environment)).not.toContain('secret');
  });
});

describe('a Java worker', () => {
  it('answers, logs, stays within its heap limit and stops like any other', async () => {
    const { worker, call, log } = await use('EchoWorker.java', {
      manifest: { worker: { runtime: 'java', memoryMb: 48 } },
    });
    expect(await call('echo', { text: 'ä€😀' })).toEqual({ text: 'ä€😀' });
    expect(worker.state).toBe('running');
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    expect(await Promise.all(numbers.map((number) => call('echo', [number])))).toEqual(
      numbers.map((number) => [number]),
    );
    // Read from stderr, which is separate from the answers.
    const heap = (): number =>
      Number(
        messagesOf(log)
          .find((text) => text.startsWith('heap'))
          ?.slice(5),
      );
    await expect.poll(heap).toBeGreaterThan(0);
    expect(heap()).toBeLessThanOrEqual(48);
    expect(log.recent()).toContainEqual(
      expect.objectContaining({ level: 'DEBUG', logger: 'EchoWorker', message: 'echo' }),
    );
    const error = await workerErrorOf(call('die'));
    expect(error.kind).toBe('crashed');
    expect(error.message).toContain('IllegalStateException: told to die');
    expect(await call('echo', 'again')).toBe('again');
  });
});
