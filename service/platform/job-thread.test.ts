import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as Jobs from '../testing/sample-jobs.ts';
import { JobFailure, JobThread, type JobThreadOptions } from './job-thread.ts';

const long = { limitMs: 60_000 };
const made: JobThread<typeof Jobs>[] = [];

function threadOf(options: Partial<JobThreadOptions> = {}): JobThread<typeof Jobs> {
  const thread = new JobThread<typeof Jobs>({
    name: 'sample-jobs',
    parentUrl: new URL('../testing/any.ts', import.meta.url).href,
    resourceLimits: { maxOldGenerationSizeMb: 32 },
    ...options,
  });
  made.push(thread);
  return thread;
}

/** Memory shared by both threads. */
const flag = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

afterEach(() => {
  for (const thread of made.splice(0)) thread.end();
});

describe('a thread for jobs', () => {
  it('stays the same from job to job, also after one that failed', async () => {
    const thread = threadOf();
    const id = await thread.run('thread', null, long);
    await expect(thread.run('fail', null, long)).rejects.toThrow(JobFailure);
    expect(await thread.run('thread', null, long)).toBe(id);
  });

  it.each([
    ['time', (thread: JobThread<typeof Jobs>) => thread.run('spin', flag(), { limitMs: 300 })],
    ['memory', (thread: JobThread<typeof Jobs>) => thread.run('eat', null, long)],
  ])('is replaced when a job takes too much %s, and those that wait are done', async (_, run) => {
    const thread = threadOf();
    const id = await thread.run('thread', null, long);
    const over = run(thread);
    const pending = [1, 2].map(() => thread.run('thread', null, long));
    await expect(over).rejects.toThrow(JobFailure);
    const [first, second] = await Promise.all(pending);
    expect(first).not.toBe(id);
    expect(second).toBe(first);
  });

  it('starts the time limit of a job when the job starts', async () => {
    const thread = threadOf();
    const over = thread.run('spin', flag(), { limitMs: 3_000 });
    const pending = thread.run('thread', null, { limitMs: 2_000 });
    await expect(over).rejects.toThrow(JobFailure);
    expect(await pending).toBeTypeOf('number');
  });

  it('is replaced if the caller aborts', async () => {
    const thread = threadOf();
    const id = await thread.run('thread', null, long);
    const signal = AbortSignal.timeout(200);
    const reason = await thread
      .run('spin', flag(), { ...long, signal })
      .catch((error: unknown) => error);
    expect(reason).toBe(signal.reason);
    expect(await thread.run('thread', null, long)).not.toBe(id);
  });

  it('does not delay a caller that is aborted while the job waits', async () => {
    const thread = threadOf();
    const started = flag();
    const first = thread.run('spin', started, long).catch(() => 'ended');
    await vi.waitFor(() => expect(started[0]).toBe(1), { timeout: 20_000 });
    const signal = AbortSignal.timeout(50);
    const second = thread.run('thread', null, { ...long, signal }).catch((error: unknown) => error);
    expect(await Promise.race([first, second])).toBe(signal.reason);
    thread.end();
    expect(await first).toBe('ended');
  });

  it('ends after an idle time', async () => {
    const thread = threadOf({ idleMs: 20 });
    const id = await thread.run('thread', null, long);
    await vi.waitFor(async () => expect(await thread.run('thread', null, long)).not.toBe(id), {
      timeout: 20_000,
      interval: 200,
    });
  });

  it('reports that it cannot start', async () => {
    const thread = threadOf({ name: 'no-such-jobs' });
    await expect(thread.run('thread', null, long)).rejects.toThrow('no-such-jobs did not start');
  });

  it('rejects running and later jobs when it is ended', async () => {
    const thread = threadOf();
    const started = flag();
    const jobs = [thread.run('spin', started, long), thread.run('thread', null, long)];
    const ends = Promise.allSettled(jobs);
    await vi.waitFor(() => expect(started[0]).toBe(1), { timeout: 20_000 });
    thread.end();
    const failed = { status: 'rejected', reason: expect.any(JobFailure) as unknown };
    expect(await ends).toEqual([failed, failed]);
  });
});
