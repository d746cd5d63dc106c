import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Channel } from './channel.ts';

/** A reader that records what it receives. */
function reader(): { received: unknown[]; send(value: number): void; end(error?: unknown): void } {
  const received: unknown[] = [];
  return {
    received,
    send: (value) => received.push(value),
    end: (error) => received.push(error === undefined ? 'end' : `end: ${error as string}`),
  };
}

describe('a channel', () => {
  it('buffers values until its reader comes, then forwards the next ones', () => {
    const channel = new Channel<number>();
    const one = reader();
    channel.send(1);
    channel.send(2);
    expect(channel.isUsed).toBe(false);
    channel.open(one);
    expect(channel.isUsed).toBe(true);
    channel.send(3);
    channel.end();
    expect(one.received).toEqual([1, 2, 3, 'end']);
  });

  it('merges values of the same tick', async () => {
    const merge = (last: number, next: number): number | null => (next === 0 ? null : last + next);
    const channel = new Channel<number>({ merge });
    const one = reader();
    channel.open(one);
    for (const value of [1, 2, 0, 4]) channel.send(value);
    await immediate();
    channel.send(5);
    channel.end();
    expect(one.received).toEqual([3, 4, 5, 'end']);
  });

  it('reports its end to a late reader', () => {
    const channel = new Channel<number>();
    channel.send(1);
    channel.end('broken');
    const one = reader();
    channel.open(one);
    expect(one.received).toEqual([1, 'end: broken']);
  });

  it('ends once, and sends nothing after that', () => {
    const channel = new Channel<number>();
    const one = reader();
    channel.open(one);
    channel.end();
    channel.end('again');
    channel.send(1);
    expect(one.received).toEqual(['end']);
  });

  it('drops the oldest values beyond its limit', () => {
    const channel = new Channel<number>({ maxBuffered: 3 });
    for (let i = 1; i <= 5; i += 1) channel.send(i);
    const one = reader();
    channel.open(one);
    expect(one.received).toEqual([3, 4, 5]);
  });

  it('buffers nothing after its reader has left, and stays open', () => {
    const channel = new Channel<number>();
    const one = reader();
    const leave = channel.open(one);
    leave();
    channel.send(1);
    channel.end();
    expect(one.received).toEqual([]);
    expect(channel.isUsed).toBe(true);
  });
});
