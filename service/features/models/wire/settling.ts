/** A request's signal that also ends what a server leaves open after the end of its answer. */
export class Settling {
  readonly signal: AbortSignal;
  private readonly late = new AbortController();
  private readonly settleMs: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(callerSignal: AbortSignal, settleMs: number) {
    this.signal = AbortSignal.any([callerSignal, this.late.signal]);
    this.settleMs = settleMs;
  }

  /** `ended`: whether the answer is at its end as far as is known by now. */
  follow(ended: boolean): void {
    if (ended) this.timer ??= setTimeout(() => this.late.abort(), this.settleMs);
    else this.clear();
  }

  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
