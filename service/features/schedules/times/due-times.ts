import type { CronTimes } from './cron-times.ts';

/** When something is due; milliseconds since 1970. */
export interface DueTimes {
  /** The first time of a schedule that is made now. */
  first(nowMs: number): number | null;
  /** What a time that has come, `dueMs`, has become by now. */
  due(dueMs: number, nowMs: number): Due;
  /** The next time, where the clock was set back. `doneMs` is the last time that was dealt with. */
  again(nextMs: number, doneMs: number | null, nowMs: number): number;
}

/**
 * The due times of a schedule up to now, in ms since 1970; `nextMs` is null when there are no more.
 */
export interface Due {
  /** The latest time until now; what was due before it was missed. */
  latestMs: number;
  /** At most 100. */
  missed: number;
  nextMs: number | null;
}

/** Of times that come often not each is counted. */
export const mostMissed = 100;
/** A clock that is set back so far repeats nothing. */
const smallStepMs = 3 * 3_600_000;

/** Each interval after the last; once where it is not recurring. */
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
