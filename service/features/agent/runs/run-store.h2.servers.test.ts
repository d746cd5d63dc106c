import { describe, expect, it } from 'vitest';
import { migrate } from '../../../platform/database/migrate.ts';
import { everyDatabase } from '../../../testing/database-servers/index.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { msg } from '../../../messages/index.ts';
import { recoverRuns } from './recover-runs.ts';
import type { RunRow } from './run-row.ts';
import { type RunQuery, RunStore } from './run-store.ts';

const row = (number: number, change: Partial<RunRow> = {}): RunRow => ({
  runId: `run-${number}`,
  goal: `Größe ${number} 🙂`,
  status: 'running',
  posture: 'sandboxed',
  request: { config: { concurrency: 2 } },
  summary: null,
  error: null,
  plan: { steps: [{ title: 'x', tool: 'a', arguments: { b: [1, '🙂\0'] }, dependsOn: [] }] },
  parentRunId: null,
  batchId: null,
  workflowId: null,
  finishedAt: null,
  createdAt: `2026-01-0${number}T03:04:05.678Z`,
  updatedAt: `2026-01-0${number}T03:04:05.678Z`,
  ...change,
});
const at = '2026-01-02T03:04:05.678Z';
const large = 'ö'.repeat(3_000_000);

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);

  it('runs and their events are read as they were stored, in order, and can be searched', async () => {
    await migrate(used.current);
    const store = new RunStore(used.current);
    await store.add(row(1));
    const ofBatch = { parentRunId: 'run-1', workflowId: 'w', batchId: 'b' };
    await store.add(row(2, { plan: null, ...ofBatch }));
    await store.add(
      row(3, { createdAt: row(2).createdAt, status: 'failed', error: '100 % WRONG' }),
    );
    expect(await store.find('run-1')).toEqual(row(1));
    const error = msg('run.stepFailed', { step: 2, reason: 'Größe', more: 0 });
    const end = { status: 'completed', summary: large, error, finishedAt: at } as const;
    const ended = row(2, { ...ofBatch, ...end });
    await store.update(ended);
    expect(await store.find('run-2')).toEqual(ended);
    const listed = async (query: Partial<RunQuery>) =>
      (await store.list({ limit: 10, ...query })).map(({ runId }) => runId);
    const found = (q?: string, before?: string): Promise<string[]> => listed({ q, before });
    expect(await found()).toEqual(['run-3', 'run-2', 'run-1']);
    expect(await found(undefined, 'run-3')).toEqual(['run-2', 'run-1']);
    expect(await found(undefined, 'nobody')).toEqual([]);
    expect(await found('100 % wrong')).toEqual(['run-3']);
    expect(await found('step 2 failed')).toEqual(['run-2']);
    expect(await listed({ batchId: 'b' })).toEqual(['run-2']);
    expect(await listed({ parentRunId: 'run-1' })).toEqual(['run-2']);
    expect(await listed({ batchId: 'b', parentRunId: 'run-2' })).toEqual([]);
    expect(await listed({ workflowId: 'w', limit: 1 })).toEqual(['run-2']);
    expect(await listed({ workflowId: 'other' })).toEqual([]);
    expect(await listed({ since: at })).toEqual(['run-3', 'run-2']);
    expect(await listed({ until: at })).toEqual(['run-1']);
    expect(await listed({ status: ['failed', 'completed'] })).toEqual(['run-3', 'run-2']);
    expect(await store.endedBefore(new Date('2026-01-03T00:00:00Z'), 5)).toEqual(['run-2']);
    expect(await store.endedBefore(new Date(at), 5)).toEqual([]);
    expect(await found('GRÖSSE')).toEqual([]);
    expect(await found('größe 1')).toEqual(['run-1']);
    const events = [{ text: large }, { text: '🙂\0' }, {}].map((data, sequence) => ({
      sequence,
      at,
      type: 'step_complete',
      data,
    }));
    await Promise.all(events.map((one) => store.addEvent('run-1', one, JSON.stringify(one.data))));
    expect(await store.events('run-1')).toEqual(events);
    expect(await store.events('run-1', 0)).toEqual(events.slice(1));
    const twice = store.addEvent('run-1', { ...events[0]!, sequence: 2 }, '{}');
    await expect(twice).rejects.toThrow();
  });

  it('runs left unfinished become interrupted, or get the end that was stored', async () => {
    await migrate(used.current);
    const store = new RunStore(used.current);
    await store.add(row(4));
    await store.add(row(5));
    const data = { message: 'The host was closed.', text: msg('run.hostClosed') };
    const end = { sequence: 0, at, type: 'error', data };
    await store.addEvent('run-5', end, JSON.stringify(data));
    await recoverRuns(store);
    await recoverRuns(store);
    expect(await store.find('run-4')).toMatchObject({ status: 'interrupted' });
    expect(await store.events('run-4')).toMatchObject([{ sequence: 0, type: 'interrupted' }]);
    expect(await store.find('run-5')).toMatchObject({
      status: 'failed',
      error: msg('run.hostClosed'),
    });
    expect(await store.events('run-5')).toEqual([end]);
  });
});
