/** What one server may send in a window before the others have their turn. */
const windowMs = 100;
const messagesAWindow = 2_000;

/**
 * Holds a server that floods: beyond its messages of a window it is not read until the next one, so
 * that it waits and nobody else does.
 */
export class MessageBudget {
  private left = messagesAWindow;
  private windowEndsMs = 0;

  /** How long to wait with reading on, in milliseconds; 0: not at all. */
  spend(nowMs = performance.now()): number {
    if (nowMs >= this.windowEndsMs) {
      this.windowEndsMs = nowMs + windowMs;
      this.left = messagesAWindow;
    }
    this.left -= 1;
    return this.left > 0 ? 0 : this.windowEndsMs - nowMs;
  }
}
