import type { RunLease, RunQueue } from './run-queue.ts';

/** The queue that an executor works on, and its callbacks. */
export interface ExecutorOptions {
  queue: RunQueue;
  /** Executes a run; resolves when it has ended. */
  execute: (runId: string) => Promise<unknown>;
  /** Called when the lease was lost: another host has the run, so this one must stop it. */
  lost: (runId: string) => void;
  onError: (what: string, error: unknown) => void;
  /** Default: 10 s between renewals of a lease. */
  keepAliveMs?: number;
}

const defaultKeepAliveMs = 10_000;

/** Takes runs from the queue and executes each while its lease holds. */
export class RunExecutor {
  private readonly options: ExecutorOptions;
  private readonly running = new Set<Promise<void>>();
  /** Resolves after the queue was closed and all runs taken from it have ended. */
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

  /** If the queue does not answer, the lease stays valid until the queue revokes it. */
  private async keep(lease: RunLease): Promise<void> {
    const { lost, onError } = this.options;
    try {
      if (!(await lease.keepAlive())) lost(lease.runId);
    } catch (error) {
      onError('A run could not be kept alive in the queue', error);
    }
  }
}
