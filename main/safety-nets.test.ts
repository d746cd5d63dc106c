import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Log } from '../service/app/index.ts';
import { logUncaught, logUnhandled } from './safety-nets.ts';

const events = ['uncaughtException', 'unhandledRejection'] as const;
let before: Record<string, unknown[]> = {};
let logged: [string, unknown][] = [];
const log = { error: (_about: string, what: string, error: unknown) => logged.push([what, error]) };

const added = (name: (typeof events)[number]): ((error: unknown) => void)[] =>
  process.listeners(name as 'uncaughtException').filter((one) => !before[name]?.includes(one)) as ((
    error: unknown,
  ) => void)[];

beforeEach(() => {
  logged = [];
  before = Object.fromEntries(
    events.map((name) => [name, process.listeners(name as 'uncaughtException')]),
  );
});
afterEach(() => {
  for (const name of events) for (const one of added(name)) process.off(name, one);
});

it('an uncaught error is logged once, and the process continues', () => {
  logUncaught(log as unknown as Log);
  logUnhandled(log as unknown as Log);
  const failure = new Error('a bug');
  for (const name of events) {
    expect(added(name)).toHaveLength(1);
    added(name)[0]?.(failure);
  }
  expect(logged).toEqual([
    ['An error was not caught', failure],
    ['A failure was not handled', failure],
  ]);
});
