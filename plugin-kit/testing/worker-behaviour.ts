import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { kit, packAndUnpack, type UnpackedPlugin } from './packed-plugin.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

/** Tests the contract of every worker library with the echo plugin of that runtime. */
export function describeWorker(runtime: 'java' | 'node'): void {
  let plugin: UnpackedPlugin;
  const started: WorkerProcess[] = [];

  const start = (environment?: Record<string, string>): WorkerProcess => {
    const worker = startWorker(plugin.directory, runtime, environment);
    started.push(worker);
    return worker;
  };

  beforeAll(async () => {
    plugin = await packAndUnpack(join(kit, `testing/fixtures/echo-${runtime}`));
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((worker) => worker.end()));
  });
  afterAll(() => plugin.close());

  test('a method gets its params and its result comes back with the same id', async () => {
    const worker = start();
    const params = {
      text: 'naïve 你好 😀 "\\\n\u0001',
      list: [1, 2.5, -3, true, null, {}],
      big: 1e300,
    };
    const answer = await worker.call('echo', params);
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: params });
  });

  test('ids may be strings', async () => {
    const worker = start();
    worker.send('{"jsonrpc":"2.0","id":"é-1","method":"echo","params":{"a":1}}');
    expect((await worker.answer('é-1')).result).toEqual({ a: 1 });
  });

  test('an unpaired surrogate survives', async () => {
    const worker = start();
    worker.send('{"jsonrpc":"2.0","id":1,"method":"echo","params":{"half":"\\ud83d"}}');
    expect((await worker.answer(1)).result).toEqual({ half: '\ud83d' });
  });

  test('host.initialize passes the settings and returns the methods', async () => {
    const worker = start();
    const settings = { pluginId: 'a', dataDirectory: '/data', locale: 'zh-CN', config: { key: 1 } };
    const { methods } = await worker.result<{ methods: string[] }>('host.initialize', settings);
    expect([...methods].sort()).toEqual(Object.keys(plugin.manifest.methods).sort());
    expect(await worker.result('settings')).toEqual(settings);
  });

  test('an unknown method is answered with -32601', async () => {
    const { error } = await start().call('nothing');
    expect(error).toEqual({ code: -32601, message: "There is no method 'nothing'." });
  });

  test('params that are no object are answered with -32602', async () => {
    const { error } = await start().call('echo', [1]);
    expect(error?.code).toBe(-32602);
  });

  test('an error that the method creates reaches the caller', async () => {
    const { error } = await start().call('refuse');
    expect(error).toEqual({ code: -32000, message: 'Not today.', data: { reason: 'holiday' } });
  });

  test('any other error is -32603, and its text and cause are only logged', async () => {
    const worker = start();
    const { error } = await worker.call('fail');
    expect(error?.code).toBe(-32603);
    expect(error?.message).not.toContain('secret');
    const [logged] = worker.notifications('host.log');
    expect(logged).toMatchObject({ level: 'ERROR', logger: 'worker' });
    expect(logged?.['message']).toContain('the secret detail');
    expect(logged?.['message']).toContain('the reason below');
  });

  test('an invalid JSON-RPC request is refused and the next one still served', async () => {
    const worker = start();
    worker.send('this is not JSON');
    worker.send('[1,2]');
    worker.send('{"jsonrpc":"2.0","id":{},"method":"echo"}');
    worker.send('{"jsonrpc":"2.0","id":"x"}');
    worker.send('');
    worker.send('{"jsonrpc":"2.0","id":"y","result":1}');
    worker.send('{"jsonrpc":"2.0","method":"unknown.notification","params":{}}');
    expect(await worker.result('echo', {})).toEqual({});
    const codes = worker.messages.flatMap((message) =>
      message.error ? [[message.id, message.error.code]] : [],
    );
    expect(codes).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
      ['x', -32600],
    ]);
  });

  test('console output goes to stderr', async () => {
    const worker = start();
    expect(await worker.result('print')).toBe('printed');
    await expect.poll(() => worker.stderr).toContain('noise {"jsonrpc":"2.0"} 你好\n');
    await expect.poll(() => worker.stderr).toContain('more noise\n');
    await expect.poll(() => worker.stderr).toContain('greetings from a ');
    expect(worker.messages).toHaveLength(1);
  });

  test('the log level comes from the environment and changes at run time', async () => {
    const worker = start({ HOST_LOG_LEVEL: 'WARN' });
    const levels = async (): Promise<unknown[]> => {
      const before = worker.notifications('host.log').length;
      await worker.result('log');
      return worker
        .notifications('host.log')
        .slice(before)
        .map((entry) => entry['level']);
    };
    expect(await levels()).toEqual(['WARN', 'ERROR']);
    worker.notify('host.logLevel', { level: 'TRACE' });
    expect(await levels()).toEqual(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR']);
    worker.notify('host.logLevel', { level: 'OFF' });
    expect(await levels()).toEqual([]);
    worker.notify('host.logLevel', { level: 'LOUD' });
    expect(await levels()).toEqual([]);
  });

  test('log events have a logger and a thread, from INFO on by default', async () => {
    const worker = start();
    await worker.result('log');
    const events = worker.notifications('host.log');
    expect(events.map((event) => event['message'])).toEqual(['a fact', 'a warning', 'an error']);
    expect(events[0]).toMatchObject({ level: 'INFO', logger: 'echo' });
    expect(events[0]?.['thread']).toMatch(/\w/);
  });

  test('progress carries the id of the request, and a cancelled call is answered with -32002', async () => {
    const worker = start();
    const id = worker.request('wait');
    await worker.until((message) => message.method === 'host.progress');
    expect(worker.notifications('host.progress')).toEqual([
      { id, percent: 25, message: 'waiting' },
    ]);
    worker.notify('$/cancelRequest', { id });
    expect((await worker.answer(id)).error?.code).toBe(-32002);
    expect(await worker.result('echo', { still: 'alive' })).toEqual({ still: 'alive' });
    expect(await worker.end()).toBe(0);
    expect(worker.messages.filter((message) => message.id === id)).toHaveLength(1);
  });

  test('a long call does not block the others', async () => {
    const worker = start();
    const id = worker.request('wait');
    expect(await worker.result('echo', {})).toEqual({});
    worker.notify('$/cancelRequest', { id });
    await worker.answer(id);
  });

  test('an id that is still running is refused', async () => {
    const worker = start();
    worker.send('{"jsonrpc":"2.0","id":"w","method":"wait"}');
    await worker.until((message) => message.method === 'host.progress');
    worker.send('{"jsonrpc":"2.0","id":"w","method":"echo"}');
    expect((await worker.answer('w')).error?.code).toBe(-32600);
  });

  test('lines of many megabytes are accepted, those above 32 MiB refused', async () => {
    const worker = start();
    const text = 'é'.repeat(8 * 1024 * 1024);
    expect((await worker.result<{ text: string }>('echo', { text })).text === text).toBe(true);
    worker.send(`{"x":"${'x'.repeat(33 * 1024 * 1024)}"}`);
    expect((await worker.answer(null)).error?.code).toBe(-32700);
    expect(await worker.result('echo', {})).toEqual({});
  });

  test('a result that is too large for a line is an error, not a broken line', async () => {
    const worker = start();
    const { error } = await worker.call('big', { length: 33 * 1024 * 1024 });
    expect(error).toMatchObject({ code: -32000, data: { reason: 'result_too_large' } });
  });

  test('the end of stdin ends the process once running calls have been answered', async () => {
    const worker = start();
    const id = worker.request('echo', { last: 1 });
    expect(await worker.end()).toBe(0);
    expect((await worker.answer(id)).result).toEqual({ last: 1 });
  });

  test('the end of stdin also ends a worker that is stuck in a call', async () => {
    const worker = start();
    worker.request('wait');
    await worker.until((message) => message.method === 'host.progress');
    expect(await worker.end()).toBe(0);
  });
}
