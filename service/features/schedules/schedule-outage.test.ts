import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NewSchedule } from '../../contract/index.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { createLog } from '../../platform/log.ts';
import { everyDatabase } from '../../testing/database-servers/index.ts';
import { createTestClock, type TestClock } from '../../testing/test-clock.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { ScheduleBook } from './schedule-book.ts';
import { ScheduleStore } from './schedule-store.ts';

const [sqlite] = everyDatabase.filter(({ type }) => type === 'SQLITE');
const used = useDatabase(sqlite!);
const minute = 60_000;

let clock: TestClock;
let book: ScheduleBook;
const begun: string[] = [];
/** How long it takes to begin a run, by workflow. */
const held = new Map<string, Promise<void>>();

beforeEach(async () => {
  begun.length = 0;
  held.clear();
  await migrate(used.current);
  clock = createTestClock('2026-03-02T07:00:00Z');
  book = new ScheduleBook({
    store: new ScheduleStore(used.current),
    clock,
    log: createLog({ level: 'ERROR', directory: null, stderr: false }),
    workflows: {
      check: ({ workflowId }) => Promise.resolve({ name: workflowId }),
      async start({ workflowId }) {
        await held.get(workflowId);
        begun.push(workflowId);
        return { runId: 'run', ended: Promise.resolve({ status: 'completed' }) };
      },
    },
    notify: () => Promise.resolve(),
  });
  await book.load();
  book.start();
  await clock.advance(5_000);
});
afterEach(() => book.close());

const about = { inputs: {}, permissionMode: 'full-access' } as const;
const minutely: NewSchedule = {
  ...about,
  workflowId: 'stored',
  durable: true,
  cron: '* * * * *',
  timeZone: 'UTC',
};
const every = (workflowId: string): NewSchedule => ({ ...about, workflowId, intervalSeconds: 60 });

it('what is due while the database is away begins nothing, and comes once it is back', async () => {
  const { id } = await book.add(minutely);
  await used.current.sequelize.query('ALTER TABLE schedules RENAME TO away');
  await clock.advance(3 * minute);
  expect(begun).toEqual([]);
  expect(book.show(id).history).toEqual([]);
  await used.current.sequelize.query('ALTER TABLE away RENAME TO schedules');
  await clock.advance(minute);
  expect(begun.length).toBeGreaterThanOrEqual(1);
  expect(book.show(id).history.at(-1)).toMatchObject({ reason: 'late', times: 2 });
  const soFar = begun.length;
  await clock.advance(minute);
  expect(begun).toHaveLength(soFar + 1);
});

it('a run that takes long to begin keeps no other waiting, and the end of the host waits for it', async () => {
  const hold = Promise.withResolvers<void>();
  held.set('slow', hold.promise);
  await book.add(every('slow'));
  await book.add(every('quick'));
  let isOver = false;
  const passing = clock.advance(minute).then(() => (isOver = true));
  await expect.poll(() => begun).toEqual(['quick']);
  expect(isOver).toBe(false);
  const closing = book.close().then(() => begun.push('closed'));
  hold.resolve();
  await Promise.all([passing, closing]);
  expect(begun).toEqual(['quick', 'slow', 'closed']);
  await clock.advance(10 * minute);
  expect(begun).toHaveLength(3);
});

it('one that is being removed when it is due begins nothing', async () => {
  const { id } = await book.add(minutely);
  await Promise.all([book.remove(id), clock.advance(minute)]);
  expect(begun).toEqual([]);
  expect(book.list()).toEqual([]);
  expect(await new ScheduleStore(used.current).all()).toEqual([]);
});
