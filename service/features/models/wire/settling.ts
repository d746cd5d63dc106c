/**
 * The signal of a request; it aborts `settleMs` after the end of the answer if the server keeps the
 * connection open.
 */
export class Settling {
  readonly signal: AbortSignal;
  private readonly late = new AbortController();
  private readonly settleMs: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(callerSignal: AbortSignal, settleMs: number) {
    this.signal = AbortSignal.any([callerSignal, this.late.signal]);
    this.settleMs = settleMs;
  }

  /** `ended`: the answer is complete so far. */
  follow(ended: boolean): void {
    if (ended) this.timer ??= setTimeout(() => this.late.abort(), this.settleMs);
    else this.clear();
  }

  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
