import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

describe('turns', () => {
  it('come one at a time, in the order of coming', async () => {
    const turns = new Turns();
    const seen: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
    };
    await Promise.all([turns.alone(work('a')), turns.alone(work('b')), turns.alone(work('c'))]);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('go on after one that failed', async () => {
    const turns = new Turns();
    const failing = turns.alone(() => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await turns.alone(() => Promise.resolve(1))).toBe(1);
  });

  it('begin at once where nobody is before them, and end once', () => {
    const turns = new Turns();
    const order: number[] = [];
    let leaveFirst: () => void = () => undefined;
    turns.enter((leave) => {
      order.push(1);
      leaveFirst = leave;
    });
    turns.enter(() => order.push(2));
    turns.enter((leave) => {
      order.push(3);
      leave();
    });
    expect(order).toEqual([1]);
    leaveFirst();
    leaveFirst();
    expect(order).toEqual([1, 2]);
  });
});
