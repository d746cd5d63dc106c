import { setImmediate as soon } from 'node:timers/promises';

const longestTurnMs = 20;

/**
 * To be called between small steps of long work. What it returns is to be awaited: others have their
 * turn every few milliseconds.
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
