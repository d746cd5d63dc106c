/** Jobs for tests of `JobThread`. */
import { threadId } from 'node:worker_threads';

export function ready(_: null): void {}

export const thread = (_: null): number => threadId;

/** Reports its start in `started`, and never ends. */
export function spin(started: Int32Array): never {
  started[0] = 1;
  for (;;);
}

export function eat(_: null): never {
  const eaten: string[][] = [];
  for (;;) eaten.push(Array.from({ length: 10_000 }, (_, at) => `${eaten.length} ${at}`));
}

export function fail(_: null): never {
  throw new Error('No.');
}
