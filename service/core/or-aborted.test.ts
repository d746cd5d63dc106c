import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { orAborted } from './or-aborted.ts';

describe('work that can be abandoned', () => {
  it('resolves with its result, and leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(orAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects with the reason of the signal, and its later failure is ignored', async () => {
    const controller = new AbortController();
    const work = Promise.withResolvers<number>();
    const pending = orAborted(work.promise, controller.signal);
    controller.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
    work.reject(new Error('late'));
    await expect(orAborted(work.promise, controller.signal)).rejects.toThrow('enough');
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});
