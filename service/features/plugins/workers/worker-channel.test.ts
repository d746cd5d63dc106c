import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { WorkerChannel } from './worker-channel.ts';
import { WorkerError } from './worker-error.ts';

const mebibyte = 1024 * 1024;

describe('WorkerChannel', () => {
  let writes: string[];
  let refused: string | undefined;
  let received: unknown[][];
  let fromWorker: PassThrough;
  let toWorker: Writable;
  let channel: WorkerChannel;

  beforeEach(() => {
    // One per test, because a write of the previous test may still be in progress.
    const written: string[] = [];
    writes = written;
    received = [];
    fromWorker = new PassThrough();
    toWorker = new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        written.push(chunk);
        done();
      },
    });
    channel = new WorkerChannel({
      onAlive: () => received.push(['alive']),
      onNotification: (method, params) => {
        if (method === refused) throw new RangeError('too deep');
        received.push(['notification', method, params]);
      },
      onNoise: (text) => received.push(['noise', text]),
      onTimeout: (id, timeoutMs) => {
        received.push(['timeout', id, timeoutMs]);
        const error = new WorkerError('timed-out', -32004, `call ${id}`);
        channel.close(() => error);
      },
      onLineTooLong: () => received.push(['too long']),
      onEnd: () => received.push(['end']),
    });
  });

  const open = (): void => channel.open(toWorker, fromWorker);
  const sendLines = (...lines: unknown[]): boolean =>
    fromWorker.write(
      lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    );
  const call = (callId: string, params: unknown = {}, more = {}): Promise<unknown> =>
    channel.request('count', params, { callId, timeoutMs: 60_000, ...more });
  const sent = (): unknown[] =>
    writes
      .join('')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);

  it('sends the requests of one event loop turn in one write, in order, with its own ids', async () => {
    open();
    const calls = [call('a', { text: 'one\ntwo' }), call('b', undefined), call('c', [1])];
    await nextTurn();
    expect(writes).toHaveLength(1);
    expect(sent()).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'count', params: { text: 'one\ntwo' } },
      { jsonrpc: '2.0', id: 2, method: 'count', params: {} },
      { jsonrpc: '2.0', id: 3, method: 'count', params: [1] },
    ]);
    sendLines({ jsonrpc: '2.0', id: 3, result: 'third' }, { jsonrpc: '2.0', id: 1, result: null });
    sendLines({ jsonrpc: '2.0', id: 2, result: { n: 2 } });
    expect(await Promise.all(calls)).toEqual([null, { n: 2 }, 'third']);
  });

  it('queues calls made before it is open, and sends the initialize message before them', async () => {
    const early = call('a');
    const greeting = channel.request('host.initialize', {}, { timeoutMs: 1_000, first: true });
    open();
    await nextTurn();
    expect(sent()).toMatchObject([{ method: 'host.initialize' }, { method: 'count' }]);
    sendLines(
      { jsonrpc: '2.0', id: 1, result: 5 },
      { jsonrpc: '2.0', id: 2, error: { code: -32601 } },
    );
    expect(await early).toBe(5);
    await expect(greeting).rejects.toMatchObject({ kind: 'worker-error', rpcCode: -32601 });
  });

  it('rejects with the error of the worker', async () => {
    open();
    const calls = [call('a'), call('b'), call('c')];
    sendLines({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -7, message: 'no such word', data: { x: 1 } },
    });
    sendLines({ jsonrpc: '2.0', id: 2, error: 'just text' }, { jsonrpc: '2.0', id: 3, error: {} });
    await expect(calls[0]).rejects.toMatchObject({
      kind: 'worker-error',
      rpcCode: -7,
      message: 'no such word',
      data: { x: 1 },
    });
    await expect(calls[1]).rejects.toMatchObject({ kind: 'worker-error', rpcCode: -32603 });
    await expect(calls[2]).rejects.toMatchObject({ kind: 'worker-error', rpcCode: -32603 });
  });

  it('refuses an answer that is too complex without parsing it, and continues', async () => {
    open();
    const calls = [call('a'), call('b'), call('c')];
    const bomb = `[${'[],'.repeat(300_000)}0]`;
    const deep = '['.repeat(2_000) + ']'.repeat(2_000);
    sendLines(
      `{"jsonrpc":"2.0","id":1,"result":${bomb}}`,
      `{"id":2,"jsonrpc":"2.0","result":${deep}}`,
    );
    sendLines(`{"result":${deep},"jsonrpc":"2.0","id":3}`, {
      jsonrpc: '2.0',
      id: 3,
      result: 'simple',
    });
    const tooComplex = {
      kind: 'line-too-long',
      message: expect.stringContaining('too complex') as unknown,
    };
    await expect(calls[0]).rejects.toMatchObject(tooComplex);
    await expect(calls[1]).rejects.toMatchObject(tooComplex);
    await expect(calls[2]).resolves.toBe('simple');
    expect(received.filter(([what]) => what === 'noise')).toHaveLength(1);
  });

  it('accepts long texts and half a million values', async () => {
    open();
    const calls = [call('a'), call('b')];
    const text = '[,{\\"'.repeat(4_000_000);
    const list = Array.from({ length: 490_000 }, () => 0);
    sendLines({ jsonrpc: '2.0', id: 1, result: text }, { jsonrpc: '2.0', id: 2, result: list });
    expect((await calls[0]) === text).toBe(true);
    expect(await calls[1]).toHaveLength(490_000);
  });

  it('answers only requests whose id is a text or a number', async () => {
    open();
    const deep = '['.repeat(100) + ']'.repeat(100);
    for (const id of [deep, '{}', 'null', 'true'])
      sendLines(`{"jsonrpc":"2.0","method":"x","id":${id}}`);
    sendLines({ jsonrpc: '2.0', method: 'x', id: 'seven' }, { jsonrpc: '2.0', method: 'x', id: 8 });
    await expect.poll(sent).toMatchObject([{ id: 'seven' }, { id: 8 }]);
  });

  it('survives a listener that throws on a message', async () => {
    open();
    const result = call('a');
    refused = 'impossible';
    sendLines({ jsonrpc: '2.0', method: refused }, { jsonrpc: '2.0', id: 1, result: 'ok' });
    expect(await result).toBe('ok');
    expect(received).toContainEqual(['noise', '{"jsonrpc":"2.0","method":"impossible"}']);
  });

  it('treats an answer without a result as null', async () => {
    open();
    const result = call('a');
    sendLines({ jsonrpc: '2.0', id: 1 });
    expect(await result).toBeNull();
  });

  it('reports lines that are not JSON-RPC, shortened, and continues with the next line', async () => {
    open();
    const result = call('a');
    const noise = ['Hello', '{"level":"info"}', '[1]', '{broken', 'x'.repeat(300), '"text"', '7'];
    sendLines(...noise, '', '   ', ' {"jsonrpc":"2.0","id":1,"result":"ok"}\r');
    expect(await result).toBe('ok');
    const reported = received.filter(([what]) => what === 'noise').map(([, text]) => text);
    expect(reported).toEqual(noise.map((line) => line.slice(0, 200)));
  });

  it('ignores answers with unknown, late or invalid ids', async () => {
    open();
    const result = call('a');
    for (const id of [99, 0, -1, null, '1', {}, [1], true])
      sendLines({ jsonrpc: '2.0', id, result: 1 });
    sendLines(
      { jsonrpc: '2.0', id: 1, result: 'first' },
      { jsonrpc: '2.0', id: 1, result: 'again' },
    );
    expect(await result).toBe('first');
  });

  it('forwards notifications, and progress to the right call', async () => {
    open();
    const progress: unknown[] = [];
    const onProgress = (step: unknown): void => void progress.push(step);
    const result = call('mine', {}, { onProgress });
    const report = (params: unknown) => ({ jsonrpc: '2.0', method: 'host.progress', params });
    sendLines(report({ id: 1, percent: 40, message: 'half' }), report({ id: 1, percent: 1e9 }));
    sendLines(
      report({ id: 2, percent: 1 }),
      report(null),
      report({ id: 1, percent: 'much', message: 3 }),
    );
    sendLines({ jsonrpc: '2.0', method: 'host.log', params: { message: 'hi' } });
    sendLines({ jsonrpc: '2.0', id: 1, result: 0 }, report({ id: 1, percent: 99 }));
    await result;
    expect(progress).toEqual([
      { callId: 'mine', percent: 40, message: 'half' },
      { callId: 'mine', percent: 100 },
      { callId: 'mine' },
    ]);
    expect(received).toContainEqual(['notification', 'host.log', { message: 'hi' }]);
    expect(received.filter(([what]) => what === 'alive')).toHaveLength(1);
  });

  it('answers a request of the worker with "method not found"', async () => {
    open();
    sendLines({ jsonrpc: '2.0', id: 'x', method: 'host.secrets', params: {} });
    await expect.poll(sent).toMatchObject([{ jsonrpc: '2.0', id: 'x', error: { code: -32601 } }]);
  });

  it('reports timeouts of calls, whatever the order of the deadlines', async () => {
    open();
    const slow = call('slow', {}, { timeoutMs: 30_000 });
    const startedMs = performance.now();
    const fast = call('fast', {}, { timeoutMs: 60 });
    await expect(fast).rejects.toMatchObject({ kind: 'timed-out', message: 'call 2' });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(59);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    await expect(slow).rejects.toMatchObject({ message: 'call 2' });
    expect(received).toContainEqual(['timeout', 2, 60]);
  });

  it('still checks later deadlines after an earlier call was answered', async () => {
    open();
    const answered = call('answered', {}, { timeoutMs: 30 });
    const late = call('late', {}, { timeoutMs: 90 });
    sendLines({ jsonrpc: '2.0', id: 1, result: 1 });
    expect(await answered).toBe(1);
    await expect(late).rejects.toMatchObject({ message: 'call 2' });
    expect(received).toContainEqual(['timeout', 2, 90]);
  });

  it('only drops a request of the host itself that times out', async () => {
    open();
    const own = channel.request('host.initialize', {}, { timeoutMs: 20 });
    await expect(own).rejects.toMatchObject({ kind: 'timed-out' });
    expect(received).toEqual([]);
    const result = call('a');
    sendLines({ jsonrpc: '2.0', id: 1, result: 'late' }, { jsonrpc: '2.0', id: 2, result: 'ok' });
    expect(await result).toBe('ok');
  });

  it('finds a pending call by the id of its caller', () => {
    void call('a').catch(() => undefined);
    void call('b').catch(() => undefined);
    expect(channel.idOf('b')).toBe(2);
    expect(channel.idOf('c')).toBeUndefined();
    expect(channel.openCalls).toBe(2);
  });

  it('rejects all pending calls when it is closed, after sending the last message to the worker', async () => {
    open();
    const calls = [call('a'), call('b')];
    channel.notify('$/cancelRequest', { id: 1 });
    channel.close((id) => new WorkerError('cancelled', -32002, `closed ${id}`));
    await expect(calls[0]).rejects.toMatchObject({ message: 'closed 1' });
    await expect(calls[1]).rejects.toMatchObject({ message: 'closed 2' });
    await expect(call('late')).rejects.toMatchObject({ kind: 'cancelled' });
    expect(sent().at(-1)).toEqual({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 1 } });
  });

  it('refuses parameters that are not JSON', async () => {
    open();
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await expect(call('a', circular)).rejects.toMatchObject({ rpcCode: -32602 });
    expect(channel.openCalls).toBe(0);
  });

  it('accepts a line of almost 32 MiB, and stops at a longer one', async () => {
    open();
    const result = call('a');
    const text = 'x'.repeat(32 * mebibyte - 100);
    sendLines({ jsonrpc: '2.0', id: 1, result: text });
    expect(await result).toHaveLength(text.length);
    fromWorker.write('y'.repeat(32 * mebibyte));
    expect(received).not.toContainEqual(['too long']);
    fromWorker.write('y');
    await expect.poll(() => received).toContainEqual(['too long']);
  });

  it('refuses calls while more than 64 MiB are queued for a worker that does not read', async () => {
    toWorker = new Writable({ decodeStrings: false, write: () => undefined });
    open();
    const text = 'x'.repeat(16 * mebibyte);
    const calls = Array.from({ length: 4 }, (_, index) => call(`${index}`, { text }));
    await expect(call('one too many')).rejects.toMatchObject({ kind: 'overloaded' });
    expect(channel.openCalls).toBe(4);
    channel.close((id) => new WorkerError('cancelled', -32002, `closed ${id}`));
    expect(await Promise.allSettled(calls)).toHaveLength(4);
  });

  it('reports the end of the output of the worker', async () => {
    open();
    fromWorker.end('{"jsonrpc":"2.0","method":"bye"}');
    await expect.poll(() => received.at(-1)).toEqual(['end']);
    expect(received).toContainEqual(['notification', 'bye', undefined]);
  });
});
