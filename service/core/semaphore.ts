/** Allows a number of holders at once; others wait in the order of their arrival. */
export class Semaphore {
  /** Most permits at once. */
  readonly limit: number;
  #free: number;
  readonly #pending: (() => void)[] = [];

  constructor(count: number) {
    this.limit = count;
    this.#free = count;
  }

  /**
   * Resolves with true if it had to wait. Each holder has to release. @throws the reason of the
   * signal
   */
  acquire(signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(false);
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = (): void => {
        this.#pending.splice(this.#pending.indexOf(start), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#pending.push(start);
    });
  }

  release(): void {
    const next = this.#pending.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
