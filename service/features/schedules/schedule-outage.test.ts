import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NewSchedule } from '../../contract/index.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { createLog } from '../../platform/log.ts';
import { everyDatabase } from '../../testing/database-servers/index.ts';
import { createTestClock, type TestClock } from '../../testing/test-clock.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { ScheduleService } from './schedule-service.ts';
import { ScheduleStore } from './schedule-store.ts';

const [sqlite] = everyDatabase.filter(({ type }) => type === 'SQLITE');
const used = useDatabase(sqlite!);
const minute = 60_000;

let clock: TestClock;
let scheduleService: ScheduleService;
const started: string[] = [];
const counts: number[] = [];
/** Promises that delay the start of runs, by workflow. */
const held = new Map<string, Promise<void>>();

beforeEach(async () => {
  started.length = 0;
  counts.length = 0;
  held.clear();
  await migrate(used.current);
  clock = createTestClock('2026-03-02T07:00:00Z');
  scheduleService = new ScheduleService({
    isShared: false,
    store: new ScheduleStore(used.current),
    clock,
    log: createLog({ level: 'ERROR', directory: null, stderr: false }),
    workflows: {
      isRunning: () => Promise.resolve(false),
      check: ({ workflowId }) => Promise.resolve({ name: workflowId }),
      async start({ workflowId }) {
        await held.get(workflowId);
        started.push(workflowId);
        return { runId: 'run', ended: Promise.resolve({ status: 'completed' }) };
      },
    },
    notify: () => Promise.resolve(),
    activeChanged: (count) => void counts.push(count),
  });
  await scheduleService.load();
  scheduleService.start();
  await clock.advance(5_000);
});
afterEach(() => scheduleService.close());

const about = { inputs: {}, permissionMode: 'full-access' } as const;
const minutely: NewSchedule = {
  ...about,
  workflowId: 'stored',
  durable: true,
  cron: '* * * * *',
  timeZone: 'UTC',
};
const every = (workflowId: string): NewSchedule => ({ ...about, workflowId, intervalSeconds: 60 });

it('nothing is started while the database is unavailable, and due runs start once it is back', async () => {
  const { id } = await scheduleService.add(minutely);
  await used.current.sequelize.query('ALTER TABLE schedules RENAME TO away');
  await clock.advance(3 * minute);
  expect(started).toEqual([]);
  expect(scheduleService.show(id).history).toEqual([]);
  await used.current.sequelize.query('ALTER TABLE away RENAME TO schedules');
  await clock.advance(minute);
  expect(started.length).toBeGreaterThanOrEqual(1);
  expect(scheduleService.show(id).history.at(-1)).toMatchObject({ reason: 'late', times: 2 });
  const soFar = started.length;
  await clock.advance(minute);
  expect(started).toHaveLength(soFar + 1);
});

it('a run that starts slowly delays no others, and closing the host waits for it', async () => {
  const hold = Promise.withResolvers<void>();
  held.set('slow', hold.promise);
  await scheduleService.add(every('slow'));
  await scheduleService.add(every('quick'));
  let isOver = false;
  const passing = clock.advance(minute).then(() => (isOver = true));
  await expect.poll(() => started).toEqual(['quick']);
  expect(isOver).toBe(false);
  const closing = scheduleService.close().then(() => started.push('closed'));
  hold.resolve();
  await Promise.all([passing, closing]);
  expect(started).toEqual(['quick', 'slow', 'closed']);
  await clock.advance(10 * minute);
  expect(started).toHaveLength(3);
});

it('a schedule that is being removed when it is due starts nothing', async () => {
  const { id } = await scheduleService.add(minutely);
  await Promise.all([scheduleService.remove(id), clock.advance(minute)]);
  expect(started).toEqual([]);
  expect(scheduleService.list()).toEqual([]);
  expect(await new ScheduleStore(used.current).all()).toEqual([]);
});

it('the number of schedules that end with the host is kept up to date', async () => {
  const { id } = await scheduleService.add(minutely);
  const once = { ...every('once'), recurring: false };
  await scheduleService.add(once);
  await scheduleService.pause(id, true);
  await scheduleService.pause(id, false);
  expect(counts).toEqual([1, 2, 1, 2]);
  await clock.advance(minute);
  await expect.poll(() => counts.at(-1)).toBe(1);
  await scheduleService.remove(id);
  expect(counts.at(-1)).toBe(0);
});
