import { hostClosing } from '../../core/host-error.ts';
import { Topic } from '../../core/topic.ts';

/** Changes of one plugin happen one after the other; its calls wait while its package is exchanged. */
export class PluginChanges {
  private readonly last = new Map<string, Promise<unknown>>();
  private readonly swaps = new Map<string, Promise<void>>();
  private closing = false;
  /** Tells the id of a plugin after each change of it, whether it worked or not. */
  readonly done = new Topic<string>();

  /** Throws 503 `host_closing` once `close` was called. */
  async run<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (this.closing) throw hostClosing();
    const before = this.last.get(id) ?? Promise.resolve();
    const result = before.then(work);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.last.set(id, settled);
    try {
      return await result;
    } finally {
      if (this.last.get(id) === settled) this.last.delete(id);
      this.done.publish(id);
    }
  }

  /** New calls of the plugin wait from now on until the returned function is called. */
  holdCalls(id: string): () => void {
    const barrier = Promise.withResolvers<void>();
    this.swaps.set(id, barrier.promise);
    return () => {
      this.swaps.delete(id);
      barrier.resolve();
    };
  }

  isSwapping(id: string): boolean {
    return this.swaps.has(id);
  }

  /** Resolves when calls of the plugin need not wait. */
  async swapped(id: string): Promise<void> {
    await this.swaps.get(id);
  }

  /** Takes no more changes, and waits for those under way. */
  async close(): Promise<void> {
    this.closing = true;
    await Promise.all(this.last.values());
  }
}
