import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endOnce } from './end-once.ts';

const exits: number[] = [];
const exit = (code: number): void => void exits.push(code);
const printed: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  exits.length = 0;
  printed.length = 0;
});

describe('the end of the host', () => {
  it('has code 0 after everything was closed, once', async () => {
    let closed = 0;
    const end = endOnce(async () => {
      closed += 1;
    }, exit);
    end();
    end();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([closed, exits, printed]).toEqual([1, [0], []]);
  });

  it('has code 0 within five seconds although something hangs', async () => {
    endOnce(() => new Promise(() => undefined), exit)();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(exits).toEqual([]);
    await vi.advanceTimersByTimeAsync(999);
    expect(exits).toEqual([0]);
    expect(printed).toEqual(['Some parts did not stop in time and were left behind.\n']);
  });

  it('has code 0 although closing fails, and reports it', async () => {
    endOnce(() => Promise.reject(new Error('no')), exit)();
    await vi.advanceTimersByTimeAsync(0);
    expect(exits).toEqual([0]);
    expect(printed).toEqual(['Stopping failed: Error: no\n']);
  });
});
