import { expect, it } from 'vitest';
import { InProcessQueue } from './in-process-queue.ts';
import { RunExecutor } from './run-executor.ts';
import type { RunQueue } from './run-queue.ts';

const silent = { lost: () => undefined, onError: () => undefined };

it('each run is taken once and in order, whether or not a consumer was already waiting', async () => {
  const queue = new InProcessQueue();
  await queue.put('one');
  await queue.put('two');
  const taken = [queue.take(), queue.take(), queue.take()];
  await queue.put('three');
  expect((await Promise.all(taken)).map((lease) => lease?.runId)).toEqual(['one', 'two', 'three']);
});

it('a run occupies its queue slot and keeps its lease until it finishes', async () => {
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

it('a closed queue accepts nothing more, hands out the rest and then reports its end', async () => {
  const queue = new InProcessQueue();
  await queue.put('one');
  queue.close();
  await expect(queue.put('two')).rejects.toMatchObject({ code: 'host_closing' });
  expect(() => queue.requireCapacity(1)).toThrow(expect.objectContaining({ code: 'host_closing' }));
  expect((await queue.take())?.runId).toBe('one');
  expect(await queue.take()).toBeNull();
});

it('the executor executes runs in parallel and ends after the last one', async () => {
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

it('a run that throws is reported and finished, and the next one is executed', async () => {
  const queue = new InProcessQueue(1);
  const errors: string[] = [];
  const done: string[] = [];
  const executor = new RunExecutor({
    queue,
    lost: () => undefined,
    onError: (what) => errors.push(what),
    execute(runId) {
      done.push(runId);
      return runId === 'bad' ? Promise.reject(new Error('It broke.')) : Promise.resolve();
    },
  });
  await queue.put('bad');
  await expect.poll(() => errors).toEqual(['A run could not be done']);
  queue.requireCapacity(1);
  await queue.put('good');
  queue.close();
  await executor.ended;
  expect(done).toEqual(['bad', 'good']);
});

/** A queue shared by hosts that lends one run and gives these answers about its lease. */
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

it('a lease is renewed during the run, also after an outage of the queue, and the run stops when it is lost', async () => {
  const { queue, word } = lending([true, new Error('away'), true, false]);
  const over = Promise.withResolvers<void>();
  const errors: string[] = [];
  const executor = new RunExecutor({
    queue,
    keepAliveMs: 5,
    execute: () => over.promise,
    onError: (what) => errors.push(what),
    lost: (runId) => {
      expect([runId, word.renewals, word.finished]).toEqual(['lent', 4, false]);
      over.resolve();
    },
  });
  await executor.ended;
  expect(errors).toEqual(['A run could not be kept alive in the queue']);
  expect(word.finished).toBe(true);
});
