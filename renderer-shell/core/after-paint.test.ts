import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterPaint } from './after-paint.ts';

const frames: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw));
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => delete frames[frame - 1]);
});
afterEach(() => {
  frames.length = 0;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('work after the first frame', () => {
  it('starts when the frame has been drawn', () => {
    const work = vi.fn();
    afterPaint(work);
    frames[0]?.();
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('starts without a frame where none is drawn', () => {
    const work = vi.fn();
    afterPaint(work);
    vi.advanceTimersByTime(250);
    expect(work).toHaveBeenCalledTimes(1);
    expect(frames[0]).toBeUndefined();
  });

  it('starts once when a late frame is drawn just before the limit', () => {
    const work = vi.fn();
    setTimeout(() => frames[0]?.(), 250);
    afterPaint(work);
    vi.advanceTimersByTime(1_000);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
