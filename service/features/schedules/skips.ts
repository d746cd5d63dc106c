import type { ScheduleEvent } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { isoTime, type ScheduleRow } from './schedule-row.ts';
import { mostMissed } from './times/due-times.ts';

type About = Omit<ScheduleEvent, 'outcome'>;

/** The times before the latest one that has come. */
export function missedTimes(
  firstMs: number,
  times: number,
  nowMs: number,
  wasDown: boolean,
): ScheduleEvent {
  const why = wasDown
    ? 'The host was not running'
    : 'The machine slept, its clock was set, or the database was away';
  const count = times >= mostMissed ? `${mostMissed} times or more` : `${times} times`;
  const often = times === 1 ? 'once' : count;
  return {
    dueAt: isoTime(firstMs),
    at: isoTime(nowMs),
    outcome: 'skipped',
    times,
    reason: wasDown ? 'host_not_running' : 'late',
    message: `${why}: missed ${often} since ${isoTime(firstMs)}. One run makes up for it.`,
  };
}

export const stillRunning = (about: About): ScheduleEvent => ({
  ...about,
  outcome: 'skipped',
  reason: 'still_running',
  message: 'The run before it is still under way.',
});

const withheld = 'The run could not be begun. The log of the host says more.';

export const notStarted = (about: About, error: unknown): ScheduleEvent => ({
  ...about,
  outcome: 'skipped',
  reason: error instanceof HostError ? error.code : 'not_begun',
  message: error instanceof HostError ? error.message : withheld,
});

/** What the host that was killed left open. */
export function interruptedStart(event: ScheduleEvent): ScheduleEvent {
  if (event.outcome !== 'starting') return event;
  const message = 'The host ended while the run was being begun.';
  return { ...event, outcome: 'skipped', reason: 'host_ended', message };
}

/** Runs come between these, which changes nothing. */
const alternating: readonly string[] = ['still_running', 'host_not_running', 'late'];

/** Whether a person was not told of this reason yet, or something else happened since. */
export function isNews({ history }: ScheduleRow, reason: string): boolean {
  const isAlternating = alternating.includes(reason);
  const last = isAlternating
    ? history.find(({ outcome }) => outcome === 'skipped')
    : history.find((event) => !alternating.includes(event.reason ?? ''));
  return last?.reason !== reason;
}
