/** Time limits of a watch, in milliseconds. */
export interface WatchLimits {
  /** Interval of checks while a call waits for the server. */
  askEveryMs: number;
  /** Time without any message, despite checks, after which the server is lost. */
  silentMs: number;
}

export const watchLimits: WatchLimits = { askEveryMs: 2_000, silentMs: 45_000 };

/** The session that is watched. */
export interface Watched {
  /** Checks the server and handles its state; never rejects. False: no answer in time. */
  ask: () => Promise<boolean>;
  /** Called after `silentMs` without a message. */
  onSilent: () => void;
}

/**
 * Checks, while a call waits, whether a remote server is still there: the end of a killed process
 * is not visible otherwise, and a failed machine or network sends nothing at all. It also checks at
 * once after an error.
 */
export class SessionWatch {
  private readonly watched: Watched;
  private readonly limits: WatchLimits;
  private timer: NodeJS.Timeout | undefined;
  private pendingCount = 0;
  private asking = false;
  private lastActivityAt = 0;

  constructor(watched: Watched, limits: WatchLimits = watchLimits) {
    this.watched = watched;
    this.limits = limits;
  }

  async during<T>(work: Promise<T>): Promise<T> {
    if (this.pendingCount === 0) this.recordActivity();
    this.pendingCount += 1;
    this.timer ??= setInterval(() => this.probe(), this.limits.askEveryMs).unref();
    try {
      return await work;
    } finally {
      this.pendingCount -= 1;
      if (this.pendingCount === 0) this.stop();
    }
  }

  /** Records any message of the server. */
  recordActivity(): void {
    this.lastActivityAt = performance.now();
  }

  probe(): void {
    if (this.asking) return;
    this.asking = true;
    void this.watched
      .ask()
      .then((isThere) => !isThere && this.checkSilence())
      .finally(() => (this.asking = false));
  }

  private checkSilence(): void {
    if (this.pendingCount === 0 || performance.now() - this.lastActivityAt < this.limits.silentMs)
      return;
    this.watched.onSilent();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
