import { expect, it } from 'vitest';
import { nodeHeight, nodeWidth, layoutSteps } from './layout-steps.ts';

const step = (...dependsOn: number[]) => ({ title: '', tool: 'measure', dependsOn });

it('puts a step below its dependencies, and beside steps that may run in parallel', () => {
  const [first, left, right, last] = layoutSteps([step(), step(0), step(0), step(1, 2)]);
  if (!first || !left || !right || !last) throw new Error('A step has no place');
  expect(left.y).toBeGreaterThan(first.y + nodeHeight);
  expect(left.y).toBe(right.y);
  expect(Math.abs(left.x - right.x)).toBeGreaterThan(nodeWidth);
  expect(last.y).toBeGreaterThan(left.y + nodeHeight);
});

it('positions a step with a missing dependency', () => {
  expect(layoutSteps([step(7)])).toHaveLength(1);
});
