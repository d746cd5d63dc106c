import { withTimeoutOrNull } from '../../core/with-timeout.ts';
import { discardTree } from './remove-tree.ts';

/** Deletes trees in the background, one after the other. They have already been moved away. */
export class TreeRemovals {
  readonly #abort = new AbortController();
  #last: Promise<void> = Promise.resolve();

  add(path: string): void {
    this.#last = this.#last.then(() => discardTree(path, this.#abort.signal));
  }

  /** Resolves when nothing is left to delete, or can be deleted, at the latest after `limitMs`. */
  async settled(limitMs = Infinity): Promise<void> {
    await (limitMs === Infinity ? this.#last : withTimeoutOrNull(limitMs, this.#last));
  }

  /** Waits at most `limitMs`; remaining trees stay. */
  async close(limitMs: number): Promise<void> {
    const timer = setTimeout(() => this.#abort.abort(), limitMs);
    await this.#last.finally(() => clearTimeout(timer));
  }
}
