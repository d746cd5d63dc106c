import { setTimeout as delay } from 'node:timers/promises';

const atOnce = 8;
/** A server that takes longer frees its slot for the next one, and continues to start. */
const slotTimeoutMs = 3_000;

/** Limits how many servers start at once; one that hangs does not block others for long. */
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
