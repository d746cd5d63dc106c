/**
 * Limits concurrent calls of plugin workers. Browsers open six connections to one host; without a
 * limit, a few long calls would leave none for the shell itself.
 */
export interface CallLimiter {
  /** Runs `work` once a slot is free; rejects with the abort reason while it is still queued. */
  run<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface PendingCall {
  owner: string;
  go: () => void;
}

export function createCallLimiter({
  total,
  perOwner,
}: {
  total: number;
  perOwner: number;
}): CallLimiter {
  const running = new Map<string, number>();
  const queue: PendingCall[] = [];
  const count = (owner: string) => running.get(owner) ?? 0;
  const busy = () => [...running.values()].reduce((sum, each) => sum + each, 0);

  function next(): void {
    if (busy() >= total) return;
    const index = queue.findIndex(({ owner }) => count(owner) < perOwner);
    const [first] = index < 0 ? [] : queue.splice(index, 1);
    if (!first) return;
    running.set(first.owner, count(first.owner) + 1);
    first.go();
    next();
  }

  function leave(owner: string): void {
    const remaining = count(owner) - 1;
    if (remaining > 0) running.set(owner, remaining);
    else running.delete(owner);
    next();
  }

  const enter = (owner: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const onAbort = () => {
        queue.splice(queue.indexOf(pending), 1);
        reject(signal.reason as Error);
      };
      const pending: PendingCall = {
        owner,
        go: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      queue.push(pending);
      next();
    });

  return {
    async run(owner, signal, work) {
      await enter(owner, signal);
      try {
        return await work();
      } finally {
        leave(owner);
      }
    },
  };
}
