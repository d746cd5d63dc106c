import { expect, it } from 'vitest';
import { nodeHeight, nodeWidth, placeSteps } from './place-steps.ts';

const step = (...dependsOn: number[]) => ({ title: '', tool: 'measure', dependsOn });

it('a step stands below all that it waits for, and beside what may run with it', () => {
  const [first, left, right, last] = placeSteps([step(), step(0), step(0), step(1, 2)]);
  if (!first || !left || !right || !last) throw new Error('A step has no place');
  expect(left.y).toBeGreaterThan(first.y + nodeHeight);
  expect(left.y).toBe(right.y);
  expect(Math.abs(left.x - right.x)).toBeGreaterThan(nodeWidth);
  expect(last.y).toBeGreaterThan(left.y + nodeHeight);
});

it('a step that waits for one that is not there has a place all the same', () => {
  expect(placeSteps([step(7)])).toHaveLength(1);
});
