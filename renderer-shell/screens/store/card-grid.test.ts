import { expect, it } from 'vitest';
import { columnsOf, nextIndex } from './card-grid.ts';

it('a row has at least one card, and as many as fit', () => {
  expect([0, 299, 600, 1_000].map(columnsOf)).toEqual([1, 1, 2, 3]);
});

it('the arrow keys move between the cards and stop at the edges', () => {
  const from = (key: string, index: number) => nextIndex(key, index, 3, 8);
  expect([from('ArrowRight', 0), from('ArrowLeft', 0), from('ArrowDown', 0)]).toEqual([1, null, 3]);
  expect([from('ArrowDown', 6), from('ArrowUp', 4), from('ArrowUp', 2)]).toEqual([null, 1, null]);
  expect([from('Home', 5), from('End', 5), from('End', 7), from('x', 1)]).toEqual([
    0,
    7,
    null,
    null,
  ]);
});
