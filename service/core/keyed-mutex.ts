import { Mutex } from 'async-mutex';

/** Runs work with the same key one after the other. */
export class KeyedMutex {
  readonly #locks = new Map<string, Mutex>();

  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lock = this.#locks.get(key) ?? new Mutex();
    this.#locks.set(key, lock);
    try {
      return await lock.runExclusive(work);
    } finally {
      if (!lock.isLocked()) this.#locks.delete(key);
    }
  }
}
