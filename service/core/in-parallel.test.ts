import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inParallel } from './in-parallel.ts';

it.each([
  [1, 3],
  [4, 4],
  [10, 4],
])(
  'does each of %i things once, never more than so many at the same time',
  async (count, atOnce) => {
    const items = Array.from({ length: count }, (_, index) => index);
    const done: number[] = [];
    let running = 0;
    let most = 0;
    const results = await inParallel(items, atOnce, async (item) => {
      most = Math.max(most, (running += 1));
      await nextTurn();
      running -= 1;
      done.push(item);
      return item * 2;
    });
    expect(results).toEqual(items.map((item) => item * 2));
    expect(done.sort((a, b) => a - b)).toEqual(items);
    expect(most).toBe(Math.min(count, atOnce));
  },
);

it('starts nothing after a failure, and throws it once the running work has ended', async () => {
  const started: number[] = [];
  let running = 0;
  const all = inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    started.push(item);
    if (item === 1) throw new Error('first');
    running += 1;
    await nextTurn();
    running -= 1;
  });
  await expect(all).rejects.toThrow('first');
  expect(running).toBe(0);
  expect(started).toEqual([1, 2]);
});
