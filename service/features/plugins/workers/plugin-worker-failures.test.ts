import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAlive } from '../../../testing/workers/is-alive.ts';
import {
  workerErrorOf,
  messagesOf,
  useTestWorkers,
} from '../../../testing/workers/use-test-workers.ts';
import { textOf } from '../../../messages/index.ts';

const mebibyte = 1024 * 1024;

const use = useTestWorkers();

describe('a worker that exits during a call (W-01)', () => {
  it.each([
    ['exit', { code: 1 }, 'ended with exit code 1'],
    ['exit', { code: 0 }, 'ended with exit code 0'],
    ['signal', { name: 'SIGSEGV' }, 'was ended by SIGSEGV'],
    ['closeStdout', {}, 'closed its stdin or stdout'],
  ])(
    'by %s %j rejects at once and starts again with the next call',
    async (method, params, how) => {
      const { worker, call } = await use('versatile.mjs');
      const other = await use('versatile.mjs');
      const [before] = await Promise.all([call('place'), other.call('place')]);
      const pending = workerErrorOf(call('hang'));
      const startedMs = performance.now();
      const error = await workerErrorOf(call(method, params));
      expect(error).toMatchObject({ kind: 'crashed', rpcCode: -32001 });
      expect(error.message).toContain(`The worker of Test plugin ${how}`);
      expect(await pending).toMatchObject({ kind: 'crashed' });
      // Long before the time-out of the calls.
      expect(performance.now() - startedMs).toBeLessThan(20_000);
      expect(worker.state).toBe('crashed');
      expect(textOf(worker.stateReason ?? '')).toContain(how);

      expect(await other.call('echo', 'unharmed')).toBe('unharmed');
      const after = (await call('place')) as { pid: number };
      expect(after.pid).not.toBe((before as { pid: number }).pid);
      expect(worker.state).toBe('running');
      expect(worker.stateReason).toBeUndefined();
    },
  );

  it('is noticed by the next call if it closed its stdin', async () => {
    const { call } = await use('versatile.mjs');
    const { pid } = (await call('place')) as { pid: number };
    expect(await call('closeStdin')).toBe('closed');
    const error = await workerErrorOf(call('echo', 1));
    expect(error.message).toContain('closed its stdin or stdout and was stopped');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(await call('echo', 2)).toBe(2);
  });

  it('has its last stderr lines in the error, at most 20', async () => {
    const { call } = await use('versatile.mjs');
    const error = await workerErrorOf(call('complainAndExit', { lines: 30 }));
    const stderrLines = error.message.split('\n').filter((line) => line.startsWith('trouble'));
    expect(stderrLines).toEqual(Array.from({ length: 20 }, (_, index) => `trouble ${index + 11}`));
  });

  it('still delivers an answer that it sent before', async () => {
    const { worker, call, quarantines } = await use('versatile.mjs');
    expect(await call('exitAfterAnswer')).toBe('last');
    await expect.poll(() => worker.state).toBe('stopped');
    expect(await call('echo', 1)).toBe(1);
    expect(quarantines).toEqual([]);
  });

  it('has its child processes stopped', async () => {
    const { call } = await use('versatile.mjs');
    const family = Object.values((await call('family')) as Record<string, number>);
    expect(family.filter((pid) => isAlive(pid))).toHaveLength(3);
    await workerErrorOf(call('exit', { code: 1 }));
    await expect.poll(() => family.filter((pid) => isAlive(pid))).toEqual([]);
  });
});

describe('a worker that crashes repeatedly', () => {
  it('is quarantined after the third crash, until it is released', async () => {
    const { worker, call, log, quarantines } = await use('versatile.mjs');
    for (let count = 0; count < 3; count += 1) {
      expect(quarantines).toEqual([]);
      expect(await workerErrorOf(call('exit', { code: 9 }))).toMatchObject({ kind: 'crashed' });
    }
    expect(worker.state).toBe('quarantined');
    expect(quarantines).toEqual(['The worker of Test plugin ended with exit code 9.']);
    expect(textOf(worker.stateReason ?? '')).toMatch(/crashed 3 times.*exit code 9/);
    expect(await workerErrorOf(call('echo', 1))).toMatchObject({
      kind: 'quarantined',
      rpcCode: -32001,
    });
    expect(messagesOf(log).filter((text) => text.includes('exit code 9'))).toHaveLength(3);

    await worker.stop('disabled');
    expect(worker.state).toBe('quarantined');
    worker.release();
    expect(worker.state).toBe('stopped');
    expect(await call('echo', 1)).toBe(1);
    await workerErrorOf(call('exit', { code: 9 }));
    expect(worker.state).toBe('crashed');
  });

  it('does not count cancelled calls, timeouts or stops as crashes', async () => {
    const { worker, call, quarantines } = await use('versatile.mjs');
    for (let count = 0; count < 3; count += 1) {
      const hanging = workerErrorOf(call('hang', {}, { callId: 'stuck' }));
      await call('echo', 1);
      expect(worker.cancel('stuck')).toBe(true);
      await hanging;
      await workerErrorOf(call('hang', {}, { timeoutMs: 20 }));
      await worker.stop('replaced');
    }
    expect(await call('echo', 1)).toBe(1);
    expect(quarantines).toEqual([]);
  });
});

describe('a call that times out', () => {
  it('is rejected, and its worker is stopped', async () => {
    const { call } = await use('versatile.mjs');
    const { pid } = (await call('place')) as { pid: number };
    const other = workerErrorOf(call('hang'));
    const error = await workerErrorOf(call('spin', {}, { timeoutMs: 100 }));
    expect(error).toMatchObject({ kind: 'timed-out', rpcCode: -32004 });
    expect(error.message).toContain('longer than 0.1 s');
    expect((await other).message).toContain('because another call timed out');
    await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
    expect(await call('echo', 1)).toBe(1);
  });

  it('reports a worker that never writes a message, or only invalid ones', async () => {
    const silent = await use('silent.mjs');
    const nothing = await workerErrorOf(silent.call('echo', {}, { timeoutMs: 300 }));
    expect(nothing.kind).toBe('timed-out');
    expect(nothing.message).toContain('never wrote a JSON-RPC message');
    const rubbish = await use('rubbish.mjs');
    const nonsense = await workerErrorOf(rubbish.call('echo', {}, { timeoutMs: 6_000 }));
    expect(nonsense.kind).toBe('timed-out');
    expect(nonsense.message).toContain('not JSON-RPC. See its log');
    expect(messagesOf(rubbish.log)[0]).toContain('Welcome to my worker!');
  });
});

describe('a line of 512 MiB (W-04)', () => {
  it('stops the worker at 32 MiB while the memory of the host stays flat', async () => {
    const { worker, call } = await use('versatile.mjs');
    const { pid } = (await call('place')) as { pid: number };
    const pending = workerErrorOf(call('hang'));
    const before = process.memoryUsage().rss;
    let peak = before;
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
    const error = await workerErrorOf(call('giantLine', { bytes: 512 * mebibyte }));
    await expect.poll(() => isAlive(pid)).toBe(false);
    clearInterval(timer);
    expect(error).toMatchObject({ kind: 'line-too-long', rpcCode: -32001 });
    expect(await pending).toMatchObject({ kind: 'line-too-long' });
    expect(Math.round((peak - before) / mebibyte)).toBeLessThan(100);
    expect(textOf(worker.stateReason ?? '')).toContain('more than 32 MiB');
    expect(await call('echo', 1)).toBe(1);
  });
});

describe('a worker that cannot be started', () => {
  it('reports which runtime is missing and what to install, and checks again at the next call', async () => {
    let found: string | null = null;
    const node = () => Promise.resolve(found);
    const runtimes = { node, java: () => Promise.resolve(null) };
    const { worker, call } = await use('versatile.mjs', { environment: { runtimes } });
    const error = await workerErrorOf(call('echo', 1));
    expect(error).toMatchObject({ kind: 'missing-runtime', rpcCode: -32001 });
    expect(worker.state).toBe('missing_runtime');
    expect(textOf(worker.stateReason ?? '')).toMatch(
      /needs Node\.js 22 or newer.*Install Node\.js/,
    );
    found = process.execPath;
    expect(await call('echo', 1)).toBe(1);
    expect(worker.state).toBe('running');

    const java = await use(null, { environment: { runtimes }, manifest: { worker: {} } });
    expect((await workerErrorOf(java.call('echo', 1))).message).toMatch(/needs Java 17 or newer/);
  });

  it('reports that its file is missing', async () => {
    const { worker, call } = await use(null);
    const error = await workerErrorOf(call('echo', 1));
    expect(error.kind).toBe('could-not-start');
    expect(error.message).toContain('Its package has no file backend/worker.mjs');
    expect(error.message).not.toContain('/tmp');
    expect(worker.state).toBe('crashed');
  });

  it('reports that its runtime cannot be run, or its settings or data are unavailable', async () => {
    const missingRuntime = () => Promise.resolve('/no/such/node');
    const runtimes = { node: missingRuntime, java: missingRuntime };
    const noProgram = await use('versatile.mjs', { environment: { runtimes } });
    const error = await workerErrorOf(noProgram.call('echo', 1));
    expect(error).toMatchObject({ kind: 'could-not-start' });
    expect(error.message).toContain('Could not start node: the program was not found.');

    const config = () => Promise.reject(new Error('secret /path'));
    const noConfig = await use('versatile.mjs', { environment: { config } });
    const message = (await workerErrorOf(noConfig.call('echo', 1))).message;
    expect(message).toContain('Its settings cannot be read.');
    expect(message).not.toContain('secret');

    const noData = await use('versatile.mjs');
    await writeFile(join(noData.test.root, 'data'), 'a file where a folder belongs');
    const denied = await workerErrorOf(noData.call('echo', 1));
    expect(denied.message).toContain('Its data folder cannot be created (ENOTDIR)');
    await rm(join(noData.test.root, 'data'));
    await mkdir(join(noData.test.root, 'data'));
    expect(await noData.call('echo', 1)).toBe(1);
  });

  it('reports its output if it exits immediately', async () => {
    const { call } = await use('stillborn.mjs');
    const error = await workerErrorOf(call('echo', 1));
    expect(error).toMatchObject({ kind: 'crashed', rpcCode: -32001 });
    expect(error.message).toContain('ended with exit code 3');
    expect(error.message).toContain('the settings file is broken');
  });
});

describe('a worker that does not read its input', () => {
  it('is sent no more than 64 MiB', async () => {
    const { worker, call } = await use('deaf.mjs');
    const text = 'x'.repeat(16 * mebibyte);
    const calls = Array.from({ length: 5 }, () => workerErrorOf(call('echo', { text })));
    expect(await workerErrorOf(call('echo', 1))).toMatchObject({ kind: 'overloaded' });
    await worker.stop('replaced');
    const kinds = (await Promise.all(calls)).map((error) => error.kind);
    expect(kinds.slice(0, 4)).toEqual(['crashed', 'crashed', 'crashed', 'crashed']);
  });
});
