import { readFileSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProcesses, type Processes } from '../../platform/processes.ts';
import {
  makeTestPlugin,
  testEnvironment,
  type TestPlugin,
} from '../../testing/workers/test-plugin.ts';
import { PluginWorker, type WorkerEnvironment, WorkerFault } from './plugin-worker.ts';
import { WorkerLog } from './worker-log.ts';

const mebibyte = 1024 * 1024;

let processes: Processes;
let made: TestPlugin[];
let quarantines: string[];
let nextCall = 0;

beforeEach(() => {
  processes = createProcesses();
  made = [];
  quarantines = [];
});

afterEach(async () => {
  await processes.close();
  await Promise.all(made.map((plugin) => plugin.remove()));
});

interface Started {
  worker: PluginWorker;
  log: WorkerLog;
  test: TestPlugin;
  call(method: string, params?: unknown, more?: Partial<Call>): Promise<unknown>;
}
type Call = Parameters<PluginWorker['invoke']>[0];

async function use(
  source: string | null,
  { manifest = {}, environment = {} as Partial<WorkerEnvironment> } = {},
): Promise<Started> {
  const test = await makeTestPlugin(source, manifest);
  made.push(test);
  return workerOf(test, environment);
}

function workerOf(test: TestPlugin, environment: Partial<WorkerEnvironment> = {}): Started {
  const log = new WorkerLog();
  const surroundings = testEnvironment(test, processes, environment);
  const worker = new PluginWorker(test.plugin, surroundings, log, (reason) =>
    quarantines.push(reason),
  );
  const call: Started['call'] = (method, params = {}, more = {}) => {
    const callId = `call-${(nextCall += 1)}`;
    return worker.invoke({ callId, method, params, timeoutMs: 20_000, ...more });
  };
  return { worker, log, test, call };
}

async function faultOf(call: Promise<unknown>): Promise<WorkerFault> {
  const fault = await call.then(
    (result) => new Error(`the call gave ${JSON.stringify(result)}`),
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(WorkerFault);
  return fault as WorkerFault;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

const messages = (log: WorkerLog): string[] => log.recent().map((event) => event.message);

describe('a worker', () => {
  it('is started by the first call, once, and stays', async () => {
    const { worker, call } = await use('versatile.mjs');
    expect(worker.state).toBe('stopped');
    const first = call('place');
    expect(worker.state).toBe('starting');
    const [one, two] = (await Promise.all([first, call('place')])) as { pid: number }[];
    expect(worker.state).toBe('running');
    expect(two).toEqual(one);
    expect(await call('place')).toEqual(one);
  });

  it('runs in its data directory, readable for the owner only, with its memory limit', async () => {
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

  it('is greeted before anything else, without waiting for its answer', async () => {
    const { test, call } = await use('versatile.mjs', {
      environment: { locale: () => 'zh-CN', config: () => Promise.resolve({ key: 'value' }) },
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

  it('may be an old one that knows no greeting', async () => {
    const { call, log } = await use('old.mjs');
    expect(await call('echo', { text: 'ä€😀' })).toEqual({ text: 'ä€😀' });
    expect(await faultOf(call('other'))).toMatchObject({ kind: 'worker-error', rpcCode: -32601 });
    expect(messages(log)).toEqual([]);
  });

  it('gives results and its own errors back', async () => {
    const { call } = await use('versatile.mjs');
    const params = { nested: [1, { deep: null }], text: 'line\nbreak \u2028 \u2029 "' };
    expect(await call('echo', params)).toEqual(params);
    expect(await faultOf(call('fail'))).toMatchObject({
      kind: 'worker-error',
      rpcCode: -5,
      message: 'no such word',
      data: { word: 'x' },
    });
    const large = { text: 'ä'.repeat(4 * mebibyte) };
    expect(await call('echo', large)).toEqual(large);
  });

  it('answers a thousand calls at once', async () => {
    const { call } = await use('versatile.mjs');
    const numbers = Array.from({ length: 1_000 }, (_, index) => index);
    expect(await Promise.all(numbers.map((number) => call('echo', [number])))).toEqual(
      numbers.map((number) => [number]),
    );
  });

  it('reports progress to the call it belongs to', async () => {
    const { call } = await use('versatile.mjs');
    const progress: unknown[] = [];
    const onProgress = (step: unknown): void => void progress.push(step);
    await call('progress', {}, { callId: 'mine', onProgress });
    expect(progress).toEqual([{ callId: 'mine', percent: 40, message: 'half' }]);
  });

  it('is told that the host offers no methods', async () => {
    const { call } = await use('versatile.mjs');
    expect(await call('askHost')).toMatchObject({ id: 'mine', error: { code: -32601 } });
  });

  it('learns a new log level at once, and inherits it at the next start', async () => {
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
  it('holds its stderr and what it logs by message', async () => {
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

  it('warns of noise on stdout, which harms no call', async () => {
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

  it('takes a stderr line of any length, shortened', async () => {
    const { call, log } = await use('versatile.mjs');
    await call('stderr', { text: `${'e'.repeat(3 * mebibyte)}\nnext\n` });
    await expect.poll(() => messages(log)).toContain('next');
    expect(log.recent()).toHaveLength(2);
    expect(log.recent()[0]?.message).toMatch(/^e{100,8192}…?$/);
  });
});

describe('a worker that ends in the middle of a call (W-01)', () => {
  it.each([
    ['exit', { code: 1 }, 'ended with exit code 1'],
    ['exit', { code: 0 }, 'ended with exit code 0'],
    ['signal', { name: 'SIGSEGV' }, 'was ended by SIGSEGV'],
    ['closeStdout', {}, 'closed its stdout'],
  ])(
    'by %s %j rejects at once and starts again with the next call',
    async (method, params, how) => {
      const { worker, call } = await use('versatile.mjs');
      const other = await use('versatile.mjs');
      const [before] = await Promise.all([call('place'), other.call('place')]);
      const waiting = faultOf(call('hang'));
      const startedMs = performance.now();
      const fault = await faultOf(call(method, params));
      expect(fault).toMatchObject({ kind: 'crashed', rpcCode: -32001 });
      expect(fault.message).toContain(`The worker of Test plugin ${how}`);
      expect(await waiting).toMatchObject({ kind: 'crashed' });
      expect(performance.now() - startedMs).toBeLessThan(1_000);
      expect(worker.state).toBe('crashed');
      expect(worker.stateReason).toContain(how);

      expect(await other.call('echo', 'unharmed')).toBe('unharmed');
      const after = (await call('place')) as { pid: number };
      expect(after.pid).not.toBe((before as { pid: number }).pid);
      expect(worker.state).toBe('running');
      expect(worker.stateReason).toBeUndefined();
    },
  );

  it('shows its last stderr lines, at most 20', async () => {
    const { call } = await use('versatile.mjs');
    const fault = await faultOf(call('complainAndExit', { lines: 30 }));
    const shown = fault.message.split('\n').filter((line) => line.startsWith('trouble'));
    expect(shown).toEqual(Array.from({ length: 20 }, (_, index) => `trouble ${index + 11}`));
  });

  it('still delivers an answer that it gave before', async () => {
    const { worker, call } = await use('versatile.mjs');
    expect(await call('exitAfterAnswer')).toBe('last');
    await expect.poll(() => worker.state).toBe('stopped');
    expect(await call('echo', 1)).toBe(1);
    expect(quarantines).toEqual([]);
  });

  it('takes its children along', async () => {
    const { call } = await use('versatile.mjs');
    const family = Object.values((await call('family')) as Record<string, number>);
    expect(family.filter((pid) => isAlive(pid))).toHaveLength(3);
    await faultOf(call('exit', { code: 1 }));
    await expect.poll(() => family.filter((pid) => isAlive(pid))).toEqual([]);
  });
});

describe('a worker that crashes again and again', () => {
  it('is quarantined at the third time, until it is released', async () => {
    const { worker, call, log } = await use('versatile.mjs');
    for (let count = 0; count < 3; count += 1) {
      expect(quarantines).toEqual([]);
      expect(await faultOf(call('exit', { code: 9 }))).toMatchObject({ kind: 'crashed' });
    }
    expect(worker.state).toBe('quarantined');
    expect(quarantines).toEqual([worker.stateReason]);
    expect(worker.stateReason).toMatch(/crashed 3 times.*exit code 9/);
    expect(await faultOf(call('echo', 1))).toMatchObject({ kind: 'quarantined', rpcCode: -32001 });
    expect(messages(log).filter((text) => text.includes('exit code 9'))).toHaveLength(3);

    await worker.stop('disabled');
    expect(worker.state).toBe('quarantined');
    worker.release();
    expect(worker.state).toBe('stopped');
    expect(await call('echo', 1)).toBe(1);
    await faultOf(call('exit', { code: 9 }));
    expect(worker.state).toBe('crashed');
  });

  it('counts neither cancelled calls, nor time-outs, nor stops', async () => {
    const { worker, call } = await use('versatile.mjs');
    for (let count = 0; count < 3; count += 1) {
      const hanging = faultOf(call('hang', {}, { callId: 'stuck' }));
      await call('echo', 1);
      expect(worker.cancel('stuck')).toBe(true);
      await hanging;
      await faultOf(call('hang', {}, { timeoutMs: 20 }));
      await worker.stop('replaced');
    }
    expect(await call('echo', 1)).toBe(1);
    expect(quarantines).toEqual([]);
  });
});

describe('cancelling a call (W-02)', () => {
  it('ends a stuck handler and its stubborn children, and rejects all its calls', async () => {
    const { worker, call } = await use('versatile.mjs');
    const family = Object.values((await call('family')) as Record<string, number>);
    const other = faultOf(call('hang'));
    const stuck = faultOf(call('spin', {}, { callId: 'stuck' }));
    const startedMs = performance.now();
    expect(worker.cancel('stuck')).toBe(true);
    expect(await stuck).toMatchObject({ kind: 'cancelled', rpcCode: -32002 });
    expect(await other).toMatchObject({ kind: 'crashed', rpcCode: -32001 });
    expect((await other).message).toContain('because another call was cancelled');
    expect(performance.now() - startedMs).toBeLessThan(500);
    await expect.poll(() => family.filter((pid) => isAlive(pid)), { timeout: 5_000 }).toEqual([]);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    expect(worker.state).toBe('stopped');
    expect(await call('echo', 'again')).toBe('again');
  });

  it('tells the worker which call it was', async () => {
    const { worker, call, log } = await use('tattler.mjs');
    await call('first');
    const stuck = faultOf(call('second', {}, { callId: 'stuck' }));
    await expect.poll(() => messages(log)).toContain('got second 3');
    worker.cancel('stuck');
    await stuck;
    await expect.poll(() => messages(log)).toContain('told to cancel 3');
  });

  it('never lets the next worker start before the last one is gone', async () => {
    const { worker, call } = await use('versatile.mjs');
    const family = Object.values((await call('family')) as Record<string, number>);
    const stuck = faultOf(call('spin', {}, { callId: 'stuck' }));
    worker.cancel('stuck');
    await call('place');
    expect(family.filter((pid) => isAlive(pid))).toEqual([]);
    await stuck;
  });

  it('says no when there is no such call', async () => {
    const { worker, call } = await use('versatile.mjs');
    expect(worker.cancel('none')).toBe(false);
    const { pid } = (await call('place', {}, { callId: 'over' })) as { pid: number };
    expect(worker.cancel('over')).toBe(false);
    expect(await call('place')).toMatchObject({ pid });
  });

  it('works while the worker is still starting', async () => {
    let release = (): void => undefined;
    const config = new Promise<Record<string, unknown>>((resolve) => {
      release = () => resolve({});
    });
    const { worker, call } = await use('versatile.mjs', { environment: { config: () => config } });
    const early = faultOf(call('echo', 1, { callId: 'early' }));
    expect(worker.cancel('early')).toBe(true);
    expect(await early).toMatchObject({ kind: 'cancelled' });
    release();
    expect(await call('echo', 2)).toBe(2);
  });
});

describe('a call that takes too long', () => {
  it('is rejected, and its worker ended', async () => {
    const { call } = await use('versatile.mjs');
    const { pid } = (await call('place')) as { pid: number };
    const other = faultOf(call('hang'));
    const fault = await faultOf(call('spin', {}, { timeoutMs: 100 }));
    expect(fault).toMatchObject({ kind: 'timed-out', rpcCode: -32004 });
    expect(fault.message).toContain('longer than 0.1 s');
    expect((await other).message).toContain('because another call ran out of time');
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
    expect(await call('echo', 1)).toBe(1);
  });

  it('names a worker that never says anything, or nothing that makes sense', async () => {
    const silent = await use('silent.mjs');
    const nothing = await faultOf(silent.call('echo', {}, { timeoutMs: 300 }));
    expect(nothing.kind).toBe('timed-out');
    expect(nothing.message).toContain('never wrote a JSON-RPC message');
    const rubbish = await use('rubbish.mjs');
    const nonsense = await faultOf(rubbish.call('echo', {}, { timeoutMs: 3_000 }));
    expect(nonsense.kind).toBe('timed-out');
    expect(nonsense.message).toContain('not JSON-RPC; see its log');
    expect(messages(rubbish.log)[0]).toContain('Welcome to my worker!');
  });
});

describe('a line of 512 MiB (W-04)', () => {
  it('ends the worker at 32 MiB while the memory of the host stays flat', async () => {
    const { worker, call } = await use('versatile.mjs');
    const { pid } = (await call('place')) as { pid: number };
    const waiting = faultOf(call('hang'));
    const before = process.memoryUsage().rss;
    let peak = before;
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
    const fault = await faultOf(call('giantLine', { bytes: 512 * mebibyte }));
    await expect.poll(() => isAlive(pid)).toBe(false);
    clearInterval(timer);
    expect(fault).toMatchObject({ kind: 'line-too-long', rpcCode: -32001 });
    expect(await waiting).toMatchObject({ kind: 'line-too-long' });
    expect(Math.round((peak - before) / mebibyte)).toBeLessThan(100);
    expect(worker.stateReason).toContain('more than 32 MiB');
    expect(await call('echo', 1)).toBe(1);
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

  it('holds nothing but what is on the list', async () => {
    const { call, test } = await use('versatile.mjs');
    const environment = (await call('environment')) as Record<string, string>;
    expect(environment).toMatchObject({
      PATH: process.env['PATH'],
      HOST_LOG_LEVEL: 'INFO',
      HOST_PLUGIN_ID: 'com.example.test',
      HOST_PLUGIN_DATA: join(test.root, 'data', 'com.example.test'),
    });
    const known =
      /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|HOST_LOG_LEVEL|HOST_PLUGIN_ID|HOST_PLUGIN_DATA|HOST_PROCESS_TREE)$/;
    expect(Object.keys(environment).filter((name) => !known.test(name))).toEqual([]);
    expect(JSON.stringify(environment)).not.toContain('secret');
  });
});

describe('a worker that cannot be started', () => {
  it('says which runtime is missing and what to install, and looks again at the next call', async () => {
    let found: string | null = null;
    const node = () => Promise.resolve(found);
    const runtimes = { node, java: () => Promise.resolve(null) };
    const { worker, call } = await use('versatile.mjs', { environment: { runtimes } });
    const fault = await faultOf(call('echo', 1));
    expect(fault).toMatchObject({ kind: 'missing-runtime', rpcCode: -32001 });
    expect(worker.state).toBe('missing_runtime');
    expect(worker.stateReason).toMatch(/needs Node\.js 22 or newer.*Install Node\.js/);
    found = process.execPath;
    expect(await call('echo', 1)).toBe(1);
    expect(worker.state).toBe('running');

    const java = await use(null, { environment: { runtimes }, manifest: { worker: {} } });
    expect((await faultOf(java.call('echo', 1))).message).toMatch(/needs Java 17 or newer/);
  });

  it('says that its file is missing', async () => {
    const { worker, call } = await use(null);
    const fault = await faultOf(call('echo', 1));
    expect(fault.kind).toBe('could-not-start');
    expect(fault.message).toContain('its package has no file backend/worker.mjs');
    expect(fault.message).not.toContain('/tmp');
    expect(worker.state).toBe('crashed');
  });

  it('says so when its runtime is no program, or its settings or data cannot be had', async () => {
    const gone = () => Promise.resolve('/no/such/node');
    const runtimes = { node: gone, java: gone };
    const noProgram = await use('versatile.mjs', { environment: { runtimes } });
    const fault = await faultOf(noProgram.call('echo', 1));
    expect(fault).toMatchObject({ kind: 'could-not-start' });
    expect(fault.message).toContain('Could not start node: there is no such program.');

    const config = () => Promise.reject(new Error('secret /path'));
    const noConfig = await use('versatile.mjs', { environment: { config } });
    const message = (await faultOf(noConfig.call('echo', 1))).message;
    expect(message).toContain('its settings cannot be read');
    expect(message).not.toContain('secret');

    const noData = await use('versatile.mjs');
    await writeFile(join(noData.test.root, 'data'), 'a file where a folder belongs');
    const denied = await faultOf(noData.call('echo', 1));
    expect(denied.message).toContain('its data directory cannot be made (ENOTDIR)');
    await rm(join(noData.test.root, 'data'));
    await mkdir(join(noData.test.root, 'data'));
    expect(await noData.call('echo', 1)).toBe(1);
  });

  it('shows what it wrote when it ends at once', async () => {
    const { call } = await use('stillborn.mjs');
    const fault = await faultOf(call('echo', 1));
    expect(fault).toMatchObject({ kind: 'crashed', rpcCode: -32001 });
    expect(fault.message).toContain('ended with exit code 3');
    expect(fault.message).toContain('the settings file is broken');
  });
});

describe('stopping a worker', () => {
  it('rejects its calls with the reason, and calls made meanwhile too', async () => {
    const { worker, call } = await use('versatile.mjs');
    const { pid } = (await call('place')) as { pid: number };
    const hanging = faultOf(call('hang'));
    const stopping = worker.stop('disabled');
    expect(await hanging).toMatchObject({ kind: 'disabled', rpcCode: -32003 });
    expect(await faultOf(call('echo', 1))).toMatchObject({ kind: 'disabled' });
    await stopping;
    expect(isAlive(pid)).toBe(false);
    expect(worker.state).toBe('stopped');
    worker.release();
    expect(await call('echo', 1)).toBe(1);
  });

  it('says why when the plugin is replaced or closed', async () => {
    const { worker, call } = await use('versatile.mjs');
    for (const [reason, why] of [
      ['replaced', 'another version is installed'],
      ['closing', 'it is being closed'],
    ] as const) {
      await call('echo', 1);
      const hanging = faultOf(call('hang'));
      await worker.stop(reason);
      expect(await hanging).toMatchObject({ rpcCode: -32001 });
      expect((await hanging).message).toContain(why);
    }
  });

  it('does nothing to a worker that was never started', async () => {
    const { worker } = await use('versatile.mjs');
    await worker.stop('closing');
    expect(worker.state).toBe('stopped');
  });
});

describe('a worker that does not read', () => {
  it('is sent no more than 64 MiB', async () => {
    const { worker, call } = await use('deaf.mjs');
    const text = 'x'.repeat(16 * mebibyte);
    const calls = Array.from({ length: 5 }, () => faultOf(call('echo', { text })));
    expect(await faultOf(call('echo', 1))).toMatchObject({ kind: 'overloaded' });
    await worker.stop('replaced');
    const kinds = (await Promise.all(calls)).map((fault) => fault.kind);
    expect(kinds.slice(0, 4)).toEqual(['crashed', 'crashed', 'crashed', 'crashed']);
  });
});

describe('a Java worker', () => {
  it('answers, logs, keeps to its heap limit and dies like any other', async () => {
    const { worker, call, log } = await use('EchoWorker.java', {
      manifest: { worker: { runtime: 'java', memoryMb: 48 } },
    });
    expect(await call('echo', { text: 'ä€😀' })).toEqual({ text: 'ä€😀' });
    expect(worker.state).toBe('running');
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    expect(await Promise.all(numbers.map((number) => call('echo', [number])))).toEqual(
      numbers.map((number) => [number]),
    );
    const heap = messages(log).find((text) => text.startsWith('heap')) ?? '';
    expect(Number(heap.slice(5))).toBeGreaterThan(0);
    expect(Number(heap.slice(5))).toBeLessThanOrEqual(48);
    expect(log.recent()).toContainEqual(
      expect.objectContaining({ level: 'DEBUG', logger: 'EchoWorker', message: 'echo' }),
    );
    const fault = await faultOf(call('die'));
    expect(fault.kind).toBe('crashed');
    expect(fault.message).toContain('IllegalStateException: told to die');
    expect(await call('echo', 'again')).toBe('again');
  });
});
