import { describe, expect, it } from 'vitest';
import { JsonLines } from './json-lines.ts';

function split(chunks: (string | Buffer)[], maxLineBytes = 100) {
  const lines: string[] = [];
  const tooLong: string[] = [];
  const splitter = new JsonLines({
    maxLineBytes,
    onLine: (line) => lines.push(line),
    onTooLong: (head) => tooLong.push(head),
  });
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  return { lines, tooLong, splitter };
}

describe('JsonLines', () => {
  it('returns every line of a chunk, including empty ones', () => {
    expect(split(['one\ntwo\n\nthree\n']).lines).toEqual(['one', 'two', '', 'three']);
  });

  it('joins a line from any number of chunks', () => {
    expect(split(['on', 'e', '', '\ntw', 'o\nth']).lines).toEqual(['one', 'two']);
  });

  it('returns the same lines wherever the stream is split, even inside a character', () => {
    const text = Buffer.from('{"a":"ä€😀"}\n\n{"b":1}\nlast\n');
    for (let at = 0; at <= text.length; at += 1) {
      const { lines } = split([text.subarray(0, at), text.subarray(at)]);
      expect(lines).toEqual(['{"a":"ä€😀"}', '', '{"b":1}', 'last']);
    }
    const bytes = Array.from(text, (byte) => Buffer.of(byte));
    expect(split(bytes).lines).toEqual(['{"a":"ä€😀"}', '', '{"b":1}', 'last']);
  });

  it('returns the last line when the stream ends without a newline', () => {
    const { lines, splitter } = split(['one\ntwo']);
    splitter.end();
    expect(lines).toEqual(['one', 'two']);
  });

  it('accepts a line of exactly the limit', () => {
    expect(split([`${'x'.repeat(100)}\n`])).toMatchObject({
      lines: ['x'.repeat(100)],
      tooLong: [],
    });
    expect(split(['x'.repeat(50), `${'y'.repeat(50)}\n`]).lines).toHaveLength(1);
  });

  it('reports an overlong line once and continues with the next one', () => {
    const long = 'x'.repeat(101);
    for (const chunks of [
      [`before\n${long}\nafter\n`],
      ['before\n', long, long, `${long}\nafter\n`],
      ['before\n', ...Array.from(long, (letter) => letter), '\nafter\n'],
    ]) {
      const { lines, tooLong } = split(chunks);
      expect(lines).toEqual(['before', 'after']);
      expect(tooLong).toHaveLength(1);
      expect(tooLong[0]).toMatch(/^x{90,}$/);
    }
  });

  it('calls no listener after it was stopped, even inside a chunk', () => {
    const lines: string[] = [];
    const splitter: JsonLines = new JsonLines({
      maxLineBytes: 100,
      onLine: (line) => {
        lines.push(line);
        if (line === 'two') splitter.stop();
      },
      onTooLong: () => lines.push('too long'),
    });
    splitter.push(Buffer.from('one\ntwo\nthree\nfo'));
    splitter.push(Buffer.from('ur\n'));
    splitter.end();
    expect(lines).toEqual(['one', 'two']);
  });

  it('splits a long line of many small chunks without copying it for each', () => {
    const lengths: number[] = [];
    const splitter = new JsonLines({
      maxLineBytes: 2 ** 25,
      onLine: (line) => lengths.push(line.length),
      onTooLong: () => lengths.push(-1),
    });
    const chunk = Buffer.alloc(64, 'x');
    const startedMs = performance.now();
    for (let index = 0; index < 160_000; index += 1) splitter.push(chunk);
    splitter.push(Buffer.from('\n'));
    expect(lengths).toEqual([64 * 160_000]);
    // Takes some ms; 160 000 copies of on average 5 MiB would take minutes.
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });
});
