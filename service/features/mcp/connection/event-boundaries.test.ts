import { expect, it } from 'vitest';
import { EventBoundaries } from './event-boundaries.ts';

/** Splits a stream into pieces of this size and returns the texts that end with an event. */
function cut(text: string, size: number): string[] {
  const ends = new EventBoundaries();
  const found: string[] = [];
  const all = Buffer.from(text);
  let held = '';
  for (let at = 0; at < all.length; at += size) {
    const chunk = all.subarray(at, at + size);
    const { end } = ends.scan(chunk);
    held += chunk.subarray(0, end).toString('latin1');
    if (end > 0) found.push(held.trim());
    held = end > 0 ? chunk.subarray(end).toString('latin1') : held + chunk.toString('latin1');
  }
  return found.filter((one) => one !== '');
}

it.each(['\n', '\r', '\r\n'])('events end at an empty line, with line ends of %j', (line) => {
  const stream = ['data: a', 'id: 1', '', 'data: b', '', '', ': c', '', 'data: d', ''].join(line);
  for (const size of [1, 2, 3])
    expect(cut(stream, size).join('|').replaceAll(line, ' ')).toBe('data: a id: 1|data: b|: c');
  const { count, end } = new EventBoundaries().scan(Buffer.from(stream));
  expect(stream.slice(0, end).trimEnd().endsWith(': c')).toBe(true);
  expect(count).toBe(4);
});

it('a line that continues in the next piece does not end an event', () => {
  const ends = new EventBoundaries();
  expect(ends.scan(Buffer.from('data: a\n'))).toEqual({ count: 0, end: 0 });
  expect(ends.scan(Buffer.from('data: b\r'))).toEqual({ count: 0, end: 0 });
  expect(ends.scan(Buffer.from('\n'))).toEqual({ count: 0, end: 0 });
  expect(ends.scan(Buffer.from('\ndata'))).toEqual({ count: 1, end: 1 });
});
