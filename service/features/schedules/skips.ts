import type { ScheduleEvent } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { msg, wireText } from '../../messages/index.ts';
import { isoTime, type ScheduleRow } from './schedule-row.ts';
import { mostMissed } from './times/due-times.ts';

type About = Omit<ScheduleEvent, 'outcome'>;

/** Returns the event for missed due times. */
export function missedTimes(
  firstMs: number,
  times: number,
  nowMs: number,
  wasDown: boolean,
): ScheduleEvent {
  const since = isoTime(firstMs);
  const isUncounted = times >= mostMissed;
  const text = wasDown
    ? isUncounted
      ? msg('schedule.missedManyWhileDown', { count: mostMissed, since })
      : msg('schedule.missedWhileDown', { count: times, since })
    : isUncounted
      ? msg('schedule.missedManyWhileAway', { count: mostMissed, since })
      : msg('schedule.missedWhileAway', { count: times, since });
  return {
    dueAt: since,
    at: isoTime(nowMs),
    outcome: 'skipped',
    times,
    reason: wasDown ? 'host_not_running' : 'late',
    ...wireText('message', text),
  };
}

export const stillRunning = (about: About): ScheduleEvent => ({
  ...about,
  outcome: 'skipped',
  reason: 'still_running',
  ...wireText('message', msg('schedule.stillRunning')),
});

const withheld = msg('schedule.notStarted');

export const notStarted = (about: About, error: unknown): ScheduleEvent => ({
  ...about,
  outcome: 'skipped',
  reason: error instanceof HostError ? error.code : 'not_begun',
  ...wireText('message', error instanceof HostError ? error.text : withheld),
});

/** Closes an event that a killed host left open. */
export function interruptedStart(event: ScheduleEvent): ScheduleEvent {
  if (event.outcome !== 'starting') return event;
  const text = wireText('message', msg('schedule.hostEnded'));
  return { ...event, outcome: 'skipped', reason: 'host_ended', ...text };
}

/** Runs may alternate with these reasons without making them news. */
const alternating: readonly string[] = ['still_running', 'host_not_running', 'late'];

/**
 * Returns true if the person was not notified of this reason yet, or something else happened since.
 */
export function isNews({ history }: ScheduleRow, reason: string): boolean {
  const isAlternating = alternating.includes(reason);
  const last = isAlternating
    ? history.find(({ outcome }) => outcome === 'skipped')
    : history.find((event) => !alternating.includes(event.reason ?? ''));
  return last?.reason !== reason;
}
