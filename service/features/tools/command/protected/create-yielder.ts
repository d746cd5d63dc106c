import { setImmediate as soon } from 'node:timers/promises';

const longestTurnMs = 20;

/**
 * Returns a function to call between small steps of long work. Await its result: it yields to other
 * work every few milliseconds.
 */
export function createYielder(): () => Promise<void> | undefined {
  let sinceMs = performance.now();
  return () => {
    if (performance.now() - sinceMs < longestTurnMs) return undefined;
    return soon().then(() => {
      sinceMs = performance.now();
    });
  };
}
