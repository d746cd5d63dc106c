import type { WallClock } from '../platform/wall-clock.ts';

/** A clock that only the test advances. */
export interface TestClock extends WallClock {
  /** Advances the time and runs all due timers, one after the other. */
  advance(ms: number): Promise<void>;
  /** Jumps as if the machine had slept or the clock had been set: no timer runs in between. */
  jump(ms: number): void;
}

export function createTestClock(start: string): TestClock {
  let nowMs = Date.parse(start);
  const timers = new Set<{ atMs: number; work: () => Promise<void> }>();
  return {
    now: () => nowMs,
    after(ms, work) {
      const one = { atMs: nowMs + Math.max(ms, 0), work };
      timers.add(one);
      return () => timers.delete(one);
    },
    async advance(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        const [first] = [...timers].sort((a, b) => a.atMs - b.atMs);
        if (!first || first.atMs > untilMs) break;
        timers.delete(first);
        nowMs = Math.max(nowMs, first.atMs);
        await first.work();
      }
      nowMs = untilMs;
    },
    jump(ms) {
      nowMs += ms;
      // Timers use the monotonic clock.
      for (const one of timers) one.atMs += ms;
    },
  };
}
