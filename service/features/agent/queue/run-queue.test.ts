import { expect, it } from 'vitest';
import { InProcessQueue } from './in-process-queue.ts';
import { RunExecutor } from './run-executor.ts';
import type { RunQueue } from './run-queue.ts';

const silent = { lost: () => undefined, onError: () => undefined };

it('what is put in is taken once, in its order, whether the taker was there before or not', async () => {
  const queue = new InProcessQueue();
  await queue.put('one');
  await queue.put('two');
  const taken = [queue.take(), queue.take(), queue.take()];
  await queue.put('three');
  expect((await Promise.all(taken)).map((lease) => lease?.runId)).toEqual(['one', 'two', 'three']);
});

it('a run has its place until it is finished, and its lease holds as long', async () => {
  const queue = new InProcessQueue(2);
  await queue.put('one');
  const lease = await queue.take();
  queue.requireCapacity(1);
  expect(() => queue.requireCapacity(2)).toThrow(
    expect.objectContaining({ code: 'too_many_runs' }),
  );
  expect(await lease?.keepAlive()).toBe(true);
  await lease?.finish();
  expect(await lease?.keepAlive()).toBe(false);
  queue.requireCapacity(2);
});

it('a closed queue takes nothing more, gives what it has, and then says so', async () => {
  const queue = new InProcessQueue();
  await queue.put('one');
  queue.close();
  await expect(queue.put('two')).rejects.toMatchObject({ code: 'host_closing' });
  expect(() => queue.requireCapacity(1)).toThrow(expect.objectContaining({ code: 'host_closing' }));
  expect((await queue.take())?.runId).toBe('one');
  expect(await queue.take()).toBeNull();
});

it('the executor does runs side by side, and has ended when the last one has', async () => {
  const queue = new InProcessQueue();
  const both = Promise.withResolvers<void>();
  const startedIds: string[] = [];
  const done: string[] = [];
  const executor = new RunExecutor({
    ...silent,
    queue,
    async execute(runId) {
      startedIds.push(runId);
      if (startedIds.length === 2) both.resolve();
      await both.promise;
      done.push(runId);
    },
  });
  await queue.put('one');
  await queue.put('two');
  queue.close();
  await executor.ended;
  expect(done.sort()).toEqual(['one', 'two']);
});

it('a run that throws is told and finished, and the next one is done', async () => {
  const queue = new InProcessQueue(1);
  const failures: string[] = [];
  const done: string[] = [];
  const executor = new RunExecutor({
    queue,
    lost: () => undefined,
    onError: (what) => failures.push(what),
    execute(runId) {
      done.push(runId);
      return runId === 'bad' ? Promise.reject(new Error('It broke.')) : Promise.resolve();
    },
  });
  await queue.put('bad');
  await expect.poll(() => failures).toEqual(['A run could not be done']);
  queue.requireCapacity(1);
  await queue.put('good');
  queue.close();
  await executor.ended;
  expect(done).toEqual(['bad', 'good']);
});

/** A queue of several hosts, which lends one run and says what becomes of the lease. */
function lending(answers: readonly (boolean | Error)[]) {
  const remaining = [...answers];
  const lease = { renewals: 0, finished: false };
  const leases = [
    {
      runId: 'lent',
      keepAlive: () => {
        lease.renewals += 1;
        const next = remaining.shift() ?? true;
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
      },
      finish: () => Promise.resolve(void (lease.finished = true)),
    },
    null,
  ];
  const queue: RunQueue = {
    requireCapacity: () => undefined,
    put: () => Promise.resolve(),
    take: () => Promise.resolve(leases.shift() ?? null),
    close: () => undefined,
  };
  return { queue, word: lease };
}

it('a run is kept alive while it is done, also when the queue is away for a while, and left when it was lost', async () => {
  const { queue, word } = lending([true, new Error('away'), true, false]);
  const over = Promise.withResolvers<void>();
  const failures: string[] = [];
  const executor = new RunExecutor({
    queue,
    keepAliveMs: 5,
    execute: () => over.promise,
    onError: (what) => failures.push(what),
    lost: (runId) => {
      expect([runId, word.renewals, word.finished]).toEqual(['lent', 4, false]);
      over.resolve();
    },
  });
  await executor.ended;
  expect(failures).toEqual(['A run could not be kept alive in the queue']);
  expect(word.finished).toBe(true);
});
