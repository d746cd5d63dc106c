import { withTimeoutOrNull } from '../../core/with-timeout.ts';
import { discardTree } from './remove-tree.ts';

/** Deletes trees that are out of their place already, one after the other, in the background. */
export class TreeRemovals {
  readonly #abort = new AbortController();
  #last: Promise<void> = Promise.resolve();

  add(path: string): void {
    this.#last = this.#last.then(() => discardTree(path, this.#abort.signal));
  }

  /** Resolves when nothing is left to do, or can be done, but after `limitMs` at the latest. */
  async settled(limitMs = Infinity): Promise<void> {
    await (limitMs === Infinity ? this.#last : withTimeoutOrNull(limitMs, this.#last));
  }

  /** Waits at most `limitMs`; what is not deleted by then stays. */
  async close(limitMs: number): Promise<void> {
    const timer = setTimeout(() => this.#abort.abort(), limitMs);
    await this.#last.finally(() => clearTimeout(timer));
  }
}
