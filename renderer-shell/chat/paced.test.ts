import { describe, expect, it } from 'vitest';
import { paced } from './paced.ts';
import { newTurn, type Turn } from './turn.ts';

const writing = (text: string): Turn => ({ ...newTurn, parts: [{ type: 'text', text }] });
const shownText = ({ parts }: Turn): string => {
  const part = parts.at(-1);
  return part?.type === 'text' ? part.text : '';
};
const lines = (count: number): string => 'some words of a line\n'.repeat(count);

/** All that is shown, step by step. */
function stepsTo(now: Turn): string[] {
  const steps: string[] = [];
  for (let shown = newTurn; shown !== now && steps.length < 1_000;) {
    shown = paced(shown, now);
    steps.push(shownText(shown));
  }
  return steps;
}

describe('an answer', () => {
  it('is shown at once as far as it fits into a frame', () => {
    const now = writing(lines(20));
    expect(paced(newTurn, now)).toBe(now);
  });

  it('that comes all at once is shown in steps of whole lines, to its end', () => {
    const text = lines(400);
    const steps = stepsTo(writing(text));
    expect(steps.length).toBeGreaterThan(3);
    expect(steps.length).toBeLessThan(20);
    for (const step of steps) expect(step.endsWith('\n')).toBe(true);
    const sizes = steps.map((step, at) => step.length - (steps[at - 1]?.length ?? 0));
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(800);
    expect(steps.at(-1)).toBe(text);
  });

  it('that is very long is there after a short time all the same', () => {
    expect(stepsTo(writing(lines(50_000))).length).toBeLessThan(200);
  });

  it('without lines is never cut inside of a character', () => {
    for (const before of ['', 'x']) {
      const steps = stepsTo(writing(before + '\u{1F600}'.repeat(3_000)));
      expect(steps.length).toBeGreaterThan(2);
      for (const step of steps) expect(step.isWellFormed()).toBe(true);
    }
  });

  it('that goes on with a call of a tool is shown whole with it', () => {
    const { parts } = writing(lines(400));
    const now: Turn = {
      ...newTurn,
      parts: [...parts, { type: 'tool', id: '1', name: 'echo', arguments: '{}' }],
    };
    expect(paced(newTurn, now)).toBe(now);
  });
});
