import type { RunLease, RunQueue } from './run-queue.ts';

export interface ExecutorOptions {
  queue: RunQueue;
  /** Does a run from its first event to its last. */
  execute: (runId: string) => Promise<unknown>;
  /** The run is another's now, and must be left alone. */
  lost: (runId: string) => void;
  onError: (what: string, error: unknown) => void;
  keepAliveMs?: number;
}

const defaultKeepAliveMs = 10_000;

/** Takes runs out of the queue, and does each of them while its lease holds. */
export class RunExecutor {
  private readonly options: ExecutorOptions;
  private readonly running = new Set<Promise<void>>();
  /** Resolves when the queue was closed and what was taken out of it has ended. */
  readonly ended: Promise<void>;

  constructor(options: ExecutorOptions) {
    this.options = options;
    this.ended = this.work();
  }

  private async work(): Promise<void> {
    for (;;) {
      const lease = await this.options.queue.take();
      if (lease === null) break;
      const one: Promise<void> = this.run(lease).finally(() => this.running.delete(one));
      this.running.add(one);
    }
    await Promise.all(this.running);
  }

  private async run(lease: RunLease): Promise<void> {
    const { execute, onError, keepAliveMs = defaultKeepAliveMs } = this.options;
    const timer = setInterval(() => void this.keep(lease), keepAliveMs).unref();
    try {
      await execute(lease.runId);
    } catch (error) {
      onError('A run could not be done', error);
    }
    clearInterval(timer);
    await lease.finish().catch((error: unknown) => onError('A run was not finished', error));
  }

  /** A queue that does not answer is asked again: what it lent stays lent until it says otherwise. */
  private async keep(lease: RunLease): Promise<void> {
    const { lost, onError } = this.options;
    try {
      if (!(await lease.keepAlive())) lost(lease.runId);
    } catch (error) {
      onError('A run could not be kept alive in the queue', error);
    }
  }
}
