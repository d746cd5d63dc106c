import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterPaint } from './after-paint.ts';

const frames = new Map<number, () => void>();
const draw = () => frames.forEach((frame) => frame());

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => {
    frames.set(frames.size + 1, frame);
    return frames.size;
  });
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => frames.delete(frame));
});
afterEach(() => {
  frames.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('work after the first frame', () => {
  it('starts when the frame has been drawn', () => {
    const work = vi.fn();
    afterPaint(work);
    draw();
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('starts without a frame where none is drawn', () => {
    const work = vi.fn();
    afterPaint(work);
    vi.advanceTimersByTime(250);
    expect(work).toHaveBeenCalledTimes(1);
    expect(frames.size).toBe(0);
  });

  it('starts once when a late frame is drawn just before the limit', () => {
    const work = vi.fn();
    setTimeout(draw, 250);
    afterPaint(work);
    vi.advanceTimersByTime(1_000);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
