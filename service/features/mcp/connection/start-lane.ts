import { setTimeout as delay } from 'node:timers/promises';

const atOnce = 8;
/** One that takes longer gives its place to the next, and goes on beside it. */
const placeMs = 3_000;

/** How many servers are started at the same time; one that hangs holds nobody up for long. */
export class StartLane {
  private free = atOnce;
  private readonly waiting: (() => void)[] = [];

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.place();
    const working = work();
    const over = new AbortController();
    const limit = delay(placeMs, undefined, { signal: over.signal, ref: false });
    void Promise.race([working, limit])
      .catch(() => undefined)
      .finally(() => {
        over.abort();
        this.leave();
      });
    return working;
  }

  private async place(): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
