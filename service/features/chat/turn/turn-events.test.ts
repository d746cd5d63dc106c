import { expect, it } from 'vitest';
import type { ChatTurn } from '../../../contract/index.ts';
import type { StreamEvent } from '../../../http/reply.ts';
import { TurnEvents } from './turn-events.ts';

function read(events: TurnEvents, after = 0): StreamEvent[] {
  const received: StreamEvent[] = [];
  const source = events.source({
    after,
    snapshot: () => ({ text: 'whole' }) as ChatTurn,
    onReader: () => undefined,
  });
  source.open({ send: (event) => received.push(event), end: () => undefined })();
  return received;
}

const tool = (output: string): StreamEvent => ({ event: 'tool', data: { output } });

it('a hundred thousand events of one turn take about 2 MiB, and a late reader gets the whole turn', () => {
  const events = new TurnEvents();
  for (let round = 0; round < 100; round += 1) {
    for (let index = 0; index < 1_000; index += 1) events.send(tool('ab'));
    expect(events.sequence).toBe((round + 1) * 1_000);
    expect(events.bytes).toBeLessThan(2.5 * 1024 ** 2);
  }
  const [first, second] = read(events);
  expect(first).toMatchObject({ event: 'snapshot', id: 100_000, data: { text: 'whole' } });
  expect(second).toBeUndefined();
  expect(read(events, 99_990)).toHaveLength(10);
});

it('discarding events keeps a snapshot and the final event', async () => {
  const events = new TurnEvents();
  events.send({ event: 'token', data: { text: 'a' } });
  events.send({ event: 'token', data: { text: 'b' } });
  events.send({ event: 'done', data: {} });
  await Promise.resolve();
  events.end();
  expect(read(events).map(({ id }) => id)).toEqual([1, 2]);
  expect(read(events)[0]).toMatchObject({ data: { text: 'ab', sequence: 1 } });
  events.shrink();
  expect(read(events).map(({ event, id }) => [event, id])).toEqual([
    ['snapshot', 1],
    ['done', 2],
  ]);
  expect(read(events, 1).map(({ event }) => event)).toEqual(['done']);
  expect(read(events, 2)).toEqual([]);
});
