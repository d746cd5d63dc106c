/** At most so many at once; the others wait in the order of coming. */
export class Semaphore {
  /** Most at once. */
  readonly limit: number;
  #free: number;
  readonly #pending: (() => void)[] = [];

  constructor(count: number) {
    this.limit = count;
    this.#free = count;
  }

  /** Whether it had to wait. Who takes one gives it back. Rejects with the reason of the signal. */
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
