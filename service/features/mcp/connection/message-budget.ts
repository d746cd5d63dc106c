/** What a server may send at once, and what it gets back with time, in answers. */
const most = 20_000;
const backEachMs = 20;
/** What nobody asked for costs as much as this many answers. */
const unaskedCost = 10;

/**
 * Holds a server that floods: once it has used up what it may send, it is not read for a while, so
 * that it waits and nobody else does.
 */
export class MessageBudget {
  private remaining = most;
  private filledMs = performance.now();

  /** How long to wait with reading on, in milliseconds; 0: not at all. */
  spend(answers: number, unasked: number, nowMs = performance.now()): number {
    this.remaining = Math.min(most, this.remaining + (nowMs - this.filledMs) * backEachMs);
    this.filledMs = nowMs;
    this.remaining -= answers + unasked * unaskedCost;
    return this.remaining >= 0 ? 0 : -this.remaining / backEachMs;
  }
}
