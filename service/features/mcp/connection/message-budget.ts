/** Budget that a server can use at once, measured in answers. */
const maxBudget = 20_000;
const refillPerMs = 20;
/** Cost of an unrequested message, in answers. */
const unaskedCost = 10;

/**
 * Limits a server that floods: when its budget is used up, its output is not read for a while, so
 * that it blocks and nothing else does.
 */
export class MessageBudget {
  private remaining = maxBudget;
  private filledMs = performance.now();

  /** Returns the milliseconds to wait before reading on; 0: none. */
  spend(answers: number, unasked: number, nowMs = performance.now()): number {
    this.remaining = Math.min(maxBudget, this.remaining + (nowMs - this.filledMs) * refillPerMs);
    this.filledMs = nowMs;
    this.remaining -= answers + unasked * unaskedCost;
    return this.remaining >= 0 ? 0 : -this.remaining / refillPerMs;
  }
}
