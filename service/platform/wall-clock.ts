/** The time of day, which can jump, and timers for it. */
export interface WallClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Returns a function that cancels the timer. It does not keep the process alive. */
  after(ms: number, work: () => Promise<void>): () => void;
}

export const wallClock: WallClock = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(() => void work(), ms).unref();
    return () => clearTimeout(timer);
  },
};
