import { describe, expect, it } from 'vitest';
import { cronTimes } from './cron-times.ts';
import { cronDueTimes, intervalDueTimes } from './due-times.ts';

const at = (text: string): number => Date.parse(text);
const iso = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString().slice(0, 16);

async function upcoming(cron: string, timeZone: string, from: string, count: number) {
  const times = await cronTimes(cron, timeZone);
  const found: (string | null)[] = [];
  for (let ms: number | null = at(from), n = 0; n < count && ms !== null; n += 1) {
    ms = times.after(ms);
    found.push(iso(ms));
  }
  return found;
}

describe('a cron expression', () => {
  it('means local time, in summer and in winter', async () => {
    expect(await upcoming('30 8 * * 1-5', 'Europe/Berlin', '2026-03-26T12:00Z', 3)).toEqual([
      ...['2026-03-27T07:30', '2026-03-30T06:30', '2026-03-31T06:30'],
    ]);
    expect(await upcoming('0 9 * * *', 'Asia/Kolkata', '2026-01-01T00:00Z', 1)).toEqual([
      '2026-01-01T03:30',
    ]);
  });

  it.each(['30 2 * * *', '0,30 2 * * *'])(
    '%s runs right after a skipped hour, and once in a repeated hour',
    async (cron) => {
      const spring = await upcoming(cron, 'Europe/Berlin', '2026-03-28T12:00Z', 1);
      expect(spring).toEqual(['2026-03-29T01:00']);
      const autumn = await upcoming(cron, 'Europe/Berlin', '2026-10-24T12:00Z', 4);
      const onTheDay = autumn.filter((time) => time?.startsWith('2026-10-25'));
      expect(onTheDay).toHaveLength(cron.split(',').length);
    },
  );

  it('without hours runs in every hour there is', async () => {
    const half = await upcoming('*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:00Z', 4);
    expect(half).toEqual([
      ...['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
    ]);
  });

  it('supports leap days, last days and names', async () => {
    expect(await upcoming('0 0 29 FEB *', 'UTC', '2026-03-01T00:00Z', 1)).toEqual([
      '2028-02-29T00:00',
    ]);
    expect(await upcoming('0 0 L * *', 'UTC', '2026-02-01T00:00Z', 1)).toEqual([
      '2026-02-28T00:00',
    ]);
    expect(await upcoming('0 0 * * sun#2', 'UTC', '2026-02-01T00:00Z', 1)).toEqual([
      '2026-02-08T00:00',
    ]);
    expect(await upcoming('0 0 31 2 *', 'UTC', '2026-02-01T00:00Z', 1)).toEqual([null]);
  });

  it.each([
    ['* * * * * *', /6 fields.*five/],
    ['* * * *', /4 fields/],
    ['@daily', /1 field, but/],
    ['2020-01-01T00:00:00', /1 field, but/],
    ['60 * * * *', /minute: 60/],
    ['* 24 * * *', /hour/i],
    ['* * 0 * *', /day/i],
    ['x * * * *', /cannot be read/],
    ['? * * * *', /"\?"/],
    ['* * * * +1', /"\+1"/],
    ['*/0 * * * *', /cannot be read/],
    ['5-1 * * * *', /cannot be read/],
    ['', /1 field, but/],
  ])('%s is refused with a helpful message', async (cron, expected) => {
    const read = cronTimes(cron, 'UTC');
    await expect(read).rejects.toMatchObject({
      kind: 'invalid',
      code: 'invalid_schedule',
      errors: [{ path: 'cron' }],
      message: expect.stringMatching(expected) as unknown,
    });
  });

  it.each(['Mars/Base', '+02:00', 'Europe', 'GMT+2', ' ', '../UTC'])(
    'is refused with the time zone %s',
    async (timeZone) => {
      await expect(cronTimes('* * * * *', timeZone)).rejects.toMatchObject({
        code: 'invalid_schedule',
        errors: [{ path: 'timeZone' }],
        message: expect.stringContaining('Europe/Berlin') as unknown,
      });
    },
  );
});

describe('times that are due', () => {
  it('become one run, and the others count as missed', async () => {
    const daily = cronDueTimes(await cronTimes('0 9 * * *', 'UTC'));
    const first = at('2026-01-01T09:00Z');
    expect(daily.due(first, first)).toEqual({
      latestMs: first,
      missed: 0,
      nextMs: at('2026-01-02T09:00Z'),
    });
    expect(daily.due(first, at('2026-01-04T08:59:59Z'))).toEqual({
      latestMs: at('2026-01-03T09:00Z'),
      missed: 2,
      nextMs: at('2026-01-04T09:00Z'),
    });
    const minutely = cronDueTimes(await cronTimes('* * * * *', 'UTC'));
    expect(minutely.due(first, at('2027-01-01T09:00:30Z'))).toEqual({
      latestMs: at('2027-01-01T09:00Z'),
      missed: 100,
      nextMs: at('2027-01-01T09:01Z'),
    });
    const often = intervalDueTimes(60, true);
    expect(often.due(first, first + 59_999)).toEqual({
      latestMs: first,
      missed: 0,
      nextMs: first + 60_000,
    });
    expect(often.due(first, first + 200_000)).toEqual({
      latestMs: first + 180_000,
      missed: 3,
      nextMs: first + 240_000,
    });
    expect(intervalDueTimes(60, false).due(first, first + 200_000)).toEqual({
      latestMs: first,
      missed: 0,
      nextMs: null,
    });
  });

  it('do not repeat if the clock is set back slightly, and are on time if it had been far ahead', async () => {
    const daily = cronDueTimes(await cronTimes('0 9 * * *', 'UTC'));
    const done = at('2026-01-03T09:00Z');
    const next = at('2026-01-04T09:00Z');
    expect(daily.again(next, done, at('2026-01-03T08:30Z'))).toBe(next);
    expect(iso(daily.again(next, done, at('2026-01-01T08:30Z')))).toBe('2026-01-01T09:00');
    expect(iso(daily.again(next, null, at('2026-01-01T08:30Z')))).toBe('2026-01-01T09:00');
    const hourly = intervalDueTimes(3_600, true);
    expect(hourly.again(next, done, next - 86_400_000)).toBe(next - 86_400_000 + 3_600_000);
    expect(hourly.again(next, done, next - 60_000)).toBe(next);
  });
});
