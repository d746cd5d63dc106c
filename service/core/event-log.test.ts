import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { PluginLogEvent } from '../contract/index.ts';
import { EventLog } from './event-log.ts';

const line = (message: string) => ({ level: 'INFO', logger: null, thread: null, message });

it('stamps events with the time and a sequence from 1', () => {
  const log = new EventLog();
  log.add({ level: 'WARN', logger: 'a.B', thread: 'main', message: 'first' });
  log.add(line('second'));
  const [first, second] = log.recent();
  expect(PluginLogEvent.parse(first)).toEqual(first);
  expect(first).toMatchObject({ level: 'WARN', logger: 'a.B', thread: 'main', sequence: 1 });
  expect(Math.abs(Date.parse(first?.timestamp ?? '') - Date.now())).toBeLessThan(5_000);
  expect(second).toMatchObject({ message: 'second', logger: null, sequence: 2 });
});

it('keeps the last 1000 events, oldest first', () => {
  const log = new EventLog();
  for (let index = 1; index <= 1_000; index += 1) log.add(line(`${index}`));
  expect(log.recent()).toHaveLength(1_000);
  for (let index = 1_001; index <= 2_345; index += 1) log.add(line(`${index}`));
  const sequences = log.recent().map((event) => event.sequence);
  expect(sequences).toEqual(Array.from({ length: 1_000 }, (_, index) => 1_346 + index));
  expect(log.recent()[0]?.message).toBe('1346');
});

it('notifies listeners of new events until they unsubscribe', () => {
  const log = new EventLog();
  log.add(line('before'));
  const received: string[] = [];
  const leave = log.subscribe((event) => received.push(event.message));
  log.add(line('one'));
  leave();
  log.add(line('two'));
  expect(received).toEqual(['one']);
});

it('cuts a long message and frees the memory of the rest', () => {
  const log = new EventLog();
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  // Each message is a 512 KiB string; stored in full, these would be 300 MiB.
  for (let index = 0; index < 600; index += 1) {
    log.add(line(Buffer.alloc(512 * 1024, 97 + (index % 26)).toString('latin1')));
  }
  expect(log.recent().every((event) => event.message.length === 8 * 1024)).toBe(true);
  expect(log.recent()[0]?.message.endsWith('…')).toBe(true);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 * 1024);
});
