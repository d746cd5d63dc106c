import { describe, expect, it } from 'vitest';
import { Topic } from './topic.ts';

describe('a topic', () => {
  it('calls current subscribers in the order of publication', () => {
    const topic = new Topic<number>();
    const [one, two]: number[][] = [[], []];
    const leave = topic.subscribe((value) => one?.push(value));
    topic.publish(1);
    topic.subscribe((value) => two?.push(value));
    topic.publish(2);
    leave();
    leave();
    topic.publish(3);
    expect(one).toEqual([1, 2]);
    expect(two).toEqual([2, 3]);
    expect(topic.size).toBe(1);
  });

  it('calls the other listeners when one throws, and reports the error', () => {
    const failures: unknown[] = [];
    const topic = new Topic<number>((error) => failures.push(error));
    const received: number[] = [];
    topic.subscribe(() => {
      throw new Error('deaf');
    });
    topic.subscribe((value) => received.push(value));
    topic.publish(1);
    expect(received).toEqual([1]);
    expect(failures).toEqual([new Error('deaf')]);
  });

  it('can be unsubscribed from during a publication', () => {
    const topic = new Topic<number>();
    const received: string[] = [];
    const leave = topic.subscribe(() => {
      received.push('once');
      leave();
    });
    topic.subscribe(() => received.push('always'));
    topic.publish(1);
    topic.publish(2);
    expect(received).toEqual(['once', 'always', 'always']);
  });
});
