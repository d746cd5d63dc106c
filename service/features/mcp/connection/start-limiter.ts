import { setTimeout as delay } from 'node:timers/promises';

const atOnce = 8;
/** One that takes longer gives its place to the next, and goes on beside it. */
const slotTimeoutMs = 3_000;

/** How many servers are started at the same time; one that hangs holds nobody up for long. */
export class StartLimiter {
  private free = atOnce;
  private readonly queue: (() => void)[] = [];

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire();
    const working = work();
    const over = new AbortController();
    const limit = delay(slotTimeoutMs, undefined, { signal: over.signal, ref: false });
    void Promise.race([working, limit])
      .catch(() => undefined)
      .finally(() => {
        over.abort();
        this.release();
      });
    return working;
  }

  private async acquire(): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
  }

  private release(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.free += 1;
  }
}
