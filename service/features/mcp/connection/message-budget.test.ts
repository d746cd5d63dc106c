import { expect, it } from 'vitest';
import { MessageBudget } from './message-budget.ts';

it('lets answers pass as fast as they are requested', () => {
  const budget = new MessageBudget();
  const start = performance.now();
  for (let ms = 0; ms < 1_000; ms += 1) expect(budget.spend(15, 0, start + ms)).toBe(0);
});

it('lets a burst of notifications pass, and delays a flood', () => {
  const budget = new MessageBudget();
  const start = performance.now();
  expect(budget.spend(0, 1_500, start)).toBe(0);
  expect(budget.spend(0, 1_500, start)).toBeGreaterThan(400);
  expect(budget.spend(0, 0, start + 2_000)).toBe(0);
});
