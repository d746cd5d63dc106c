const isVisible = (): boolean => document.visibilityState === 'visible';

/** Resolves when the page is visible; rejects with the abort reason of `signal`. */
export function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    if (isVisible()) return resolve();
    const settle = (end: () => void) => {
      document.removeEventListener('visibilitychange', onChange);
      signal.removeEventListener('abort', onAbort);
      end();
    };
    const onChange = () => {
      if (isVisible()) settle(resolve);
    };
    const onAbort = () => settle(() => reject(signal.reason as Error));
    document.addEventListener('visibilitychange', onChange);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Runs `work` with a signal that aborts when the page is hidden or `signal` aborts. */
export async function whileVisible<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leaving = new AbortController();
  const onChange = () => {
    if (!isVisible()) leaving.abort();
  };
  document.addEventListener('visibilitychange', onChange);
  try {
    return await work(AbortSignal.any([signal, leaving.signal]));
  } finally {
    document.removeEventListener('visibilitychange', onChange);
  }
}
