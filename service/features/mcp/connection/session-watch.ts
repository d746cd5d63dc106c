export interface WatchLimits {
  /** How often a server is asked while somebody waits for it. */
  askEveryMs: number;
  /** One that says nothing at all for so long, although it is asked, is lost. */
  silentMs: number;
}

export const watchLimits: WatchLimits = { askEveryMs: 2_000, silentMs: 45_000 };

export interface Watched {
  /** Settles in every case, and acts on what it learns; false: no answer came in time. */
  ask: () => Promise<boolean>;
  /** It has said nothing for `silentMs`. */
  onSilent: () => void;
}

/**
 * Asks a remote server, as long as somebody waits for it, whether it is still there: the end of one
 * that was killed shows nowhere else, and one whose machine or network is gone says nothing at all.
 * Also asks at once when something looks wrong.
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

  /** It said something, whatever that is. */
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
