import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { InputShield } from './input-shield.ts';

let shield: InputShield;
let page: EventEmitter;

beforeEach(() => {
  vi.useFakeTimers();
  shield = new InputShield();
  page = new EventEmitter();
  shield.guard(page as unknown as WebContents);
});
afterEach(() => vi.useRealTimers());

/** Returns whether keys arrive at the page, and whether buttons do. */
const arrives = (): boolean[] =>
  ['before-input-event', 'before-mouse-event'].map((name) => {
    let arrived = true;
    page.emit(name, { preventDefault: () => (arrived = false) }, {});
    return arrived;
  });

it('input of a person arrives', () => {
  expect(arrives()).toEqual([true, true]);
});

it('input of a model does not arrive, not even late input after the call', () => {
  shield.follow(true);
  expect(arrives()).toEqual([false, false]);
  vi.advanceTimersByTime(5_000);
  expect(arrives()).toEqual([false, false]);
  shield.follow(false);
  vi.advanceTimersByTime(299);
  expect(arrives()).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  expect(arrives()).toEqual([true, true]);
});

it('the next call that presses keys leaves no gap', () => {
  shield.follow(true);
  shield.follow(false);
  vi.advanceTimersByTime(100);
  shield.follow(true);
  vi.advanceTimersByTime(1_000);
  expect(arrives()).toEqual([false, false]);
});

it("a call that never ends does not block the person's window", () => {
  shield.follow(true);
  vi.advanceTimersByTime(60_000);
  expect(arrives()).toEqual([true, true]);
});
