import type { CronTimes } from './cron-times.ts';

/** Calculates due times, in milliseconds since 1970. */
export interface DueTimes {
  /** Returns the first time of a schedule that is created now. */
  first(nowMs: number): number | null;
  /** Returns the due times from `dueMs` until now. */
  due(dueMs: number, nowMs: number): Due;
  /** Returns the next time after the clock was set back. `doneMs` is the last handled time. */
  again(nextMs: number, doneMs: number | null, nowMs: number): number;
}

/**
 * The due times of a schedule up to now, in ms since 1970; `nextMs` is null when there are no more.
 */
export interface Due {
  /** The latest time until now; earlier due times were missed. */
  latestMs: number;
  /** Limited to 100. */
  missed: number;
  nextMs: number | null;
}

/** Frequent times are counted only up to this number. */
export const mostMissed = 100;
/** If the clock is set back by less than this, no time is repeated. */
const smallStepMs = 3 * 3_600_000;

/** Times at a fixed interval after the previous one; a single time if not recurring. */
export function intervalDueTimes(seconds: number, recurring: boolean): DueTimes {
  const everyMs = seconds * 1_000;
  return {
    first: (nowMs) => nowMs + everyMs,
    due(dueMs, nowMs) {
      if (!recurring) return { latestMs: dueMs, missed: 0, nextMs: null };
      const passed = Math.max(Math.floor((nowMs - dueMs) / everyMs), 0);
      const latestMs = dueMs + passed * everyMs;
      return { latestMs, missed: Math.min(passed, mostMissed), nextMs: latestMs + everyMs };
    },
    again: (nextMs, _, nowMs) => Math.min(nextMs, nowMs + everyMs),
  };
}

export function cronDueTimes(times: CronTimes): DueTimes {
  return {
    first: (nowMs) => times.after(nowMs),
    due(dueMs, nowMs) {
      let [latestMs, missed] = [dueMs, 0];
      for (;;) {
        const nextMs = times.after(latestMs);
        if (nextMs === null || nextMs > nowMs) return { latestMs, missed, nextMs };
        missed += 1;
        latestMs = missed === mostMissed ? (times.lastUntil(nowMs) ?? nextMs) : nextMs;
        if (missed === mostMissed) return { latestMs, missed, nextMs: times.after(nowMs) };
      }
    },
    again(nextMs, doneMs, nowMs) {
      const isSmallStep = doneMs !== null && doneMs > nowMs && doneMs - nowMs < smallStepMs;
      return Math.min(nextMs, times.after(isSmallStep ? doneMs : nowMs) ?? nextMs);
    },
  };
}
