import { describe, expect, it } from 'vitest';
import { SourceAllowance } from './source-allowance.ts';

function clocked() {
  let nowMs = 0;
  const allowance = new SourceAllowance(() => nowMs);
  /** Returns how many of the attempts the source may send now. */
  const sent = (source: string, attempts: number): number => {
    let count = 0;
    for (let n = 0; n < attempts; n += 1) {
      try {
        allowance.take(source);
        count += 1;
      } catch (error) {
        expect(error).toMatchObject({ kind: 'unavailable', code: 'too_many_notifications' });
      }
    }
    return count;
  };
  return { sent, pass: (ms: number) => void (nowMs += ms) };
}

describe('the rate limit of a source', () => {
  it('is ten at once and ten more per minute', () => {
    const { sent, pass } = clocked();
    expect(sent('plugin:a', 25)).toBe(10);
    pass(5_999);
    expect(sent('plugin:a', 1)).toBe(0);
    pass(1);
    expect(sent('plugin:a', 5)).toBe(1);
    pass(30_000);
    expect(sent('plugin:a', 25)).toBe(5);
    pass(3_600_000);
    expect(sent('plugin:a', 25)).toBe(10);
  });

  it('is independent of other sources', () => {
    const { sent } = clocked();
    expect(sent('plugin:a', 25)).toBe(10);
    expect(sent('plugin:b', 25)).toBe(10);
  });
});
