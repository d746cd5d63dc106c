import type { Cron } from 'croner';
import { HostError } from '../../../core/host-error.ts';
import { type HostText, msg } from '../../../messages/index.ts';

/** A part of a field: any, a number, a name or a range of these, with a step or without. */
const part = /^(\*|[A-Za-z\d]+(-[A-Za-z\d]+)?)(\/\d+)?$/;
/** The last day, the last weekday, or the weekday nearest to a day. */
const dayPart = /^(L|LW|\d+W)$/i;
/** The n-th or the last such weekday of the month. */
const weekdayPart = /^[A-Za-z\d]+(#([1-5]|L)|L)$/i;

/** The times of a five-field cron expression in a time zone. */
export class CronTimes {
  private readonly cron: Cron;

  constructor(cron: Cron) {
    this.cron = cron;
  }

  /** Returns null if there are no more times. */
  after(ms: number): number | null {
    return this.cron.nextRun(new Date(ms))?.getTime() ?? null;
  }

  lastUntil(ms: number): number | null {
    return this.cron.previousRuns(1, new Date(ms + 1))[0]?.getTime() ?? null;
  }
}

/** @throws HostError 400 `invalid_schedule` that names the field */
export async function cronTimes(cron: string, timeZone: string): Promise<CronTimes> {
  requireTimeZone(timeZone);
  requireFiveFields(cron);
  // Loaded with the first schedule that needs it.
  const { Cron: Reader } = await import('croner');
  try {
    // A time that a clock change skips comes right after it; one that it repeats comes once.
    const fixedTimeRule = 'no-wildcard';
    const options = { mode: '5-part', timezone: timeZone, paused: true, fixedTimeRule } as const;
    return new CronTimes(new Reader(cron.trim(), options));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : '';
    throw invalidSchedule('cron', msg('schedule.cronInvalid', { reason: reason.slice(0, 120) }));
  }
}

function requireTimeZone(timeZone: string): void {
  const wrong = msg('schedule.timeZoneUnknown');
  if (!/^[A-Za-z][\w+\-/]*$/.test(timeZone)) throw invalidSchedule('timeZone', wrong);
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw invalidSchedule('timeZone', wrong);
  }
}

function requireFiveFields(cron: string): void {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5)
    throw invalidSchedule('cron', msg('schedule.cronFieldCount', { count: fields.length }));
  const bad = fields.find((field, index) => !isField(field, index));
  if (bad === undefined) return;
  throw invalidSchedule('cron', msg('schedule.cronFieldInvalid', { field: bad.slice(0, 50) }));
}

const isField = (field: string, index: number): boolean =>
  field
    .split(',')
    .every(
      (one) =>
        part.test(one) ||
        (index === 2 && dayPart.test(one)) ||
        (index === 4 && weekdayPart.test(one)),
    );

export function invalidSchedule(path: string, message: HostText): HostError {
  return new HostError(
    'invalid',
    'invalid_schedule',
    msg('schedule.invalid', { path, problem: message }),
    { errors: [{ path, message }] },
  );
}
