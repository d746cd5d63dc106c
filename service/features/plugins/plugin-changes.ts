import { hostClosing } from '../../core/host-error.ts';
import { Topic } from '../../core/topic.ts';

/** Serializes changes of each plugin; calls wait while its package is replaced. */
export class PluginChanges {
  private readonly last = new Map<string, Promise<unknown>>();
  private readonly swaps = new Map<string, Promise<void>>();
  private closing = false;
  /** Emits the id of a plugin after each change, successful or not. */
  readonly done = new Topic<string>();

  /** @throws HostError 503 `host_closing` after `close` was called */
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

  /** Makes new calls of the plugin wait until the returned function is called. */
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

  /** Accepts no more changes, and waits for those in progress. */
  async close(): Promise<void> {
    this.closing = true;
    await Promise.all(this.last.values());
  }
}
