/**
 * Limit for the total time of a call beyond its own, however often the server waits for the host.
 */
const maxPausedMs = 60 * 60_000;

/** Time limit of a call. It is paused while the server waits for an answer of the host. */
export class CallClock {
  private readonly late = new AbortController();
  private readonly end: NodeJS.Timeout;
  private remainingMs: number;
  private since = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private holds = 0;
  private isOver = false;

  constructor(limitMs: number) {
    this.remainingMs = limitMs;
    this.end = this.after(limitMs + maxPausedMs);
    this.timer = this.after(limitMs);
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.late.signal;
  }

  /** Pauses the clock until the returned function is called. */
  hold(): () => void {
    this.holds += 1;
    if (this.holds === 1) {
      clearTimeout(this.timer);
      this.remainingMs -= performance.now() - this.since;
    }
    return () => this.release();
  }

  stop(): void {
    clearTimeout(this.end);
    clearTimeout(this.timer);
    this.isOver = true;
  }

  private release(): void {
    this.holds -= 1;
    if (this.holds > 0 || this.isOver) return;
    this.since = performance.now();
    this.timer = this.after(Math.max(this.remainingMs, 0));
  }

  private after(ms: number): NodeJS.Timeout {
    const over = new DOMException('The call took too long', 'TimeoutError');
    return setTimeout(() => this.late.abort(over), ms).unref();
  }
}
