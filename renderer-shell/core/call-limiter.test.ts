import { describe, expect, it } from 'vitest';
import { createCallLimiter } from './call-limiter.ts';

const never = new AbortController().signal;

/** Returns work that stays pending until it is released. */
function pendingWork() {
  const gate = Promise.withResolvers<void>();
  let started = false;
  return {
    end: gate.resolve,
    started: () => started,
    work: () => {
      started = true;
      return gate.promise;
    },
  };
}

describe('call limits', () => {
  it('leave capacity for another plugin while one uses its share', async () => {
    const limiter = createCallLimiter({ total: 3, perOwner: 2 });
    const [a1, a2, a3, b1] = [pendingWork(), pendingWork(), pendingWork(), pendingWork()];
    const running = [
      limiter.run('a', never, a1.work),
      limiter.run('a', never, a2.work),
      limiter.run('a', never, a3.work),
      limiter.run('b', never, b1.work),
    ];
    await expect.poll(b1.started).toBe(true);
    expect([a1.started(), a2.started(), a3.started()]).toEqual([true, true, false]);
    a1.end();
    await expect.poll(a3.started).toBe(true);
    for (const each of [a2, a3, b1]) each.end();
    await Promise.all(running);
  });

  it('remove a call that is cancelled while it is queued', async () => {
    const limiter = createCallLimiter({ total: 1, perOwner: 1 });
    const first = pendingWork();
    const running = limiter.run('a', never, first.work);
    const cancelling = new AbortController();
    const second = pendingWork();
    const pending = limiter.run('a', cancelling.signal, second.work);
    cancelling.abort(new Error('no longer wanted'));
    await expect(pending).rejects.toThrow('no longer wanted');
    first.end();
    await running;
    expect(second.started()).toBe(false);
  });

  it('free the slot of work that fails', async () => {
    const limiter = createCallLimiter({ total: 1, perOwner: 1 });
    const broken = limiter.run('a', never, () => Promise.reject(new Error('broken')));
    await expect(broken).rejects.toThrow('broken');
    await expect(limiter.run('a', never, () => Promise.resolve('works'))).resolves.toBe('works');
  });
});
