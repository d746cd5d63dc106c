import { describe, expect, it } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { everyDatabase } from '../../testing/database-servers/index.ts';
import { useDatabase } from '../../testing/use-database.ts';
import type { ScheduleRow } from './schedule-row.ts';
import { ScheduleStore } from './schedule-store.ts';

const row = (number: number, change: Partial<ScheduleRow> = {}): ScheduleRow => ({
  id: `id-${number}`,
  state: 'active',
  createdMs: 1_700_000_000_000 + number,
  order: {
    workflowId: 'w',
    workflowName: 'Größe 🙂',
    inputs: { ä: ['🙂', null, 1.5, 'a\0b'] },
    timing: { cron: '30 8 * * 1-5', timeZone: 'Europe/Berlin' },
  },
  nextMs: 1_700_000_123_456,
  doneMs: null,
  expiresMs: null,
  lastRun: null,
  history: [],
  ...change,
});
const at = '2026-01-02T03:04:05.678Z';
const message = 'ö'.repeat(20_000);

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);

  it('schedules are read as they were stored, in order, and are removed individually', async () => {
    await migrate(used.current);
    const store = new ScheduleStore(used.current);
    await store.add(row(2));
    await store.add(row(1, { order: { ...row(1).order, permissionMode: 'full-access' } }));
    expect(await store.all()).toEqual([
      row(1, { order: { ...row(1).order, permissionMode: 'full-access' } }),
      row(2),
    ]);
    const history = Array.from({ length: 50 }, () => ({
      dueAt: at,
      at,
      outcome: 'skipped' as const,
      reason: 'late',
      message,
      times: 3,
    }));
    const lastRun = { runId: 'r', status: 'failed' as const, startedAt: at, error: 'So "so" 🙂' };
    const changed = row(2, {
      state: 'disabled',
      nextMs: null,
      doneMs: 1_700_000_000_001,
      lastRun,
      history,
    });
    await store.save(changed);
    await used.reopen();
    const reopened = new ScheduleStore(used.current);
    expect((await reopened.all())[1]).toEqual(changed);
    await reopened.remove('id-1');
    await reopened.save(row(1));
    expect(await reopened.all()).toEqual([changed]);
  });
});
