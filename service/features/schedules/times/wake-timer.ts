import type { WallClock } from '../../../platform/wall-clock.ts';

/** Clock and callbacks of a `WakeTimer`. Times are ms since 1970. */
export interface WatchOptions {
  clock: WallClock;
  /** Begins what is due by now; `wentBack`: the clock was set back since it looked last. */
  onWake: (nowMs: number, wentBack: boolean) => Promise<void>;
  /** When there is something to do next. */
  wakeMs: () => number | null;
}

/** The clock may be changed and the machine may sleep, so nothing is waited for longer. */
const longestMs = 60_000;
const shortestMs = 5;

/** Looks when something is due, and at least each minute. */
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

  /** Something is due at another time than before. */
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
