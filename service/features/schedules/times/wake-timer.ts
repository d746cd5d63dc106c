import type { WallClock } from '../../../platform/wall-clock.ts';

/** Clock and callbacks of a `WakeTimer`. Times are ms since 1970. */
export interface WatchOptions {
  clock: WallClock;
  /** Handles the due times; `wentBack`: the clock was set back since the last check. */
  onWake: (nowMs: number, wentBack: boolean) => Promise<void>;
  /** Returns the next time at which something is due. */
  wakeMs: () => number | null;
}

/** The clock may change and the machine may sleep, so the timer never waits longer. */
const longestMs = 60_000;
const shortestMs = 5;

/** Wakes when something is due, and at least every minute. */
export class WakeTimer {
  private readonly options: WatchOptions;
  private cancel: (() => void) | null = null;
  private lastMs = -Infinity;
  private state: 'new' | 'watching' | 'over' = 'new';

  constructor(options: WatchOptions) {
    this.options = options;
  }

  start(settleMs: number): void {
    this.cancel = this.options.clock.after(settleMs, async () => {
      if (this.state === 'new') this.state = 'watching';
      await this.wake();
    });
  }

  /** Called when the next due time has changed. */
  changed(): void {
    if (this.state !== 'watching') return;
    this.cancel?.();
    const { clock, wakeMs } = this.options;
    const waitMs = Math.min(Math.max((wakeMs() ?? Infinity) - clock.now(), shortestMs), longestMs);
    this.cancel = clock.after(waitMs, () => this.wake());
  }

  stop(): void {
    this.state = 'over';
    this.cancel?.();
  }

  private async wake(): Promise<void> {
    if (this.state !== 'watching') return;
    const nowMs = this.options.clock.now();
    const wentBack = nowMs < this.lastMs;
    this.lastMs = nowMs;
    const looked = this.options.onWake(nowMs, wentBack);
    this.changed();
    await looked;
    this.changed();
  }
}
