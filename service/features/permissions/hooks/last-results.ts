import type { HookStatus } from '../../../contract/index.ts';

/** Settings hold as many hooks, and plugins some more. */
const maxRemembered = 2_000;

/** How each hook last ended. */
export class LastResults {
  readonly #byHook = new Map<string, HookStatus>();

  add(result: HookStatus): void {
    const key = `${result.event} ${result.hook}`;
    this.#byHook.delete(key);
    this.#byHook.set(key, result);
    const oldest = this.#byHook.keys().next();
    if (this.#byHook.size > maxRemembered && !oldest.done) this.#byHook.delete(oldest.value);
  }

  /** The newest first. */
  list(): HookStatus[] {
    return [...this.#byHook.values()].reverse();
  }
}
