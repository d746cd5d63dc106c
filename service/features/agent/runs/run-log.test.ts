import { expect, it } from 'vitest';
import { migrate } from '../../../platform/database/migrate.ts';
import { everyDatabase } from '../../../testing/database-servers/index.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { RunLog } from './run-log.ts';
import { RunStore } from './run-store.ts';

const [sqlite] = everyDatabase.filter(({ type }) => type === 'SQLITE');
const used = useDatabase(sqlite!);

it('concurrent events are stored in order and published afterwards', async () => {
  await migrate(used.current);
  const store = new RunStore(used.current);
  const sequences: number[] = [];
  const log = new RunLog(store, 'run', ({ sequence }) => sequences.push(sequence));
  await Promise.all(Array.from({ length: 500 }, (_, index) => log.add('step_start', { index })));
  const events = await store.events('run');
  expect(events.map(({ sequence, data }) => [sequence, data['index']])).toEqual(
    Array.from({ length: 500 }, (_, index) => [index, index]),
  );
  expect(sequences).toEqual([...events.keys()]);
});

it('an event that follows without waiting is stored in the same commit', async () => {
  await migrate(used.current);
  const store = new RunStore(used.current);
  const log = new RunLog(store, 'run', () => undefined);
  const ended = log.add('step_complete', { index: 0 });
  // The next step checks rules, hooks and mode in about this many ticks.
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  const startStored = log.add('step_start', { index: 1 });
  await ended;
  const types = (await store.events('run')).map(({ type }) => type);
  expect(types).toEqual(['step_complete', 'step_start']);
  await startStored;
  await log.settled();
});

it('an event that cannot be stored is not published, and neither is anything after it', async () => {
  await migrate(used.current);
  const types: string[] = [];
  const log = new RunLog(new RunStore(used.current), 'run', ({ type }) => types.push(type));
  await log.add('first', {});
  const large = log.add('too-large', { text: 'x'.repeat(17 * 1024 * 1024) });
  const later = log.add('later', {});
  await expect(large).rejects.toMatchObject({ code: 'event_too_large' });
  await expect(later).rejects.toMatchObject({ code: 'event_too_large' });
  await expect(log.add('last', {})).rejects.toMatchObject({ code: 'event_too_large' });
  expect(types).toEqual(['first']);
});

it('nothing is stored after an event that failed, including events queued with it', async () => {
  await migrate(used.current);
  const store = new RunStore(used.current);
  const log = new RunLog(store, 'gap', () => undefined);
  // Its sequence number is taken, so the database refuses the second one.
  const taken = { sequence: 1, at: new Date().toISOString(), type: 'other', data: {} };
  await store.addEvent('gap', taken, '{}');
  const [first, ...rest] = await Promise.allSettled(
    ['first', 'second', 'third', 'fourth'].map((type) => log.add(type, {})),
  );
  expect(first).toMatchObject({ status: 'fulfilled' });
  expect(rest).toEqual(Array(3).fill(rest[0]));
  expect(rest[0]).toMatchObject({ status: 'rejected' });
  const types = (await store.events('gap')).map(({ type }) => type);
  expect(types).toEqual(['first', 'other']);
});
