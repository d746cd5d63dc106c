/** Resolves after that time, in milliseconds; rejects with the abort reason of `signal`. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;

/**
 * Returns the delay before the next attempt after `failures` failed ones: 0.5 s, 1 s, 2 s … 15 s.
 */
export const backOffMs = (failures: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1));

/** A pause between attempts that can be skipped. */
export interface Pause {
  /** Resolves after that time in milliseconds, when it is skipped, or when `signal` aborts. */
  take(ms: number): Promise<void>;
  skip(): void;
}

export function createPause(signal: AbortSignal): Pause {
  let skipping = new AbortController();
  return {
    take: async (ms) => {
      skipping = new AbortController();
      await wait(ms, AbortSignal.any([skipping.signal, signal])).catch(() => undefined);
    },
    skip: () => skipping.abort(),
  };
}
