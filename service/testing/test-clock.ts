import type { WallClock } from '../platform/wall-clock.ts';

/** Time passes when the test says so. */
export interface TestClock extends WallClock {
  /** Lets time pass with all that is due in it, one after the other. */
  advance(ms: number): Promise<void>;
  /** As if the machine had slept, or someone had set the clock: nothing happens on the way. */
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
      // Timers go by another clock.
      for (const one of timers) one.atMs += ms;
    },
  };
}
