/** The time of day, which people and other machines change, and waiting for it. */
export interface WallClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** What comes back calls it off. Waiting keeps no process alive. */
  after(ms: number, work: () => Promise<void>): () => void;
}

export const wallClock: WallClock = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(() => void work(), ms).unref();
    return () => clearTimeout(timer);
  },
};
