import type { HookStatus } from '../../../contract/index.ts';

/** The settings allow this many hooks at most; plugins add a few. */
const maxRemembered = 2_000;

/** The last result of each hook. */
export class LastResults {
  readonly #byHook = new Map<string, HookStatus>();

  add(result: HookStatus): void {
    const key = `${result.event} ${result.hook}`;
    this.#byHook.delete(key);
    this.#byHook.set(key, result);
    const oldest = this.#byHook.keys().next();
    if (this.#byHook.size > maxRemembered && !oldest.done) this.#byHook.delete(oldest.value);
  }

  /** Returns the results, newest first. */
  list(): HookStatus[] {
    return [...this.#byHook.values()].reverse();
  }
}
