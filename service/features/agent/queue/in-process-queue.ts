import { HostError, hostClosing } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';
import type { RunLease, RunQueue } from './run-queue.ts';

const maxRuns = 100;

/** The queue of a single host: runs start at once, and leases never expire. */
export class InProcessQueue implements RunQueue {
  private readonly most: number;
  private readonly pending: string[] = [];
  private readonly leased = new Set<string>();
  private readonly takers: ((lease: RunLease | null) => void)[] = [];
  private closed = false;

  constructor(most = maxRuns) {
    this.most = most;
  }

  requireCapacity(count: number): void {
    if (this.closed) throw hostClosing();
    if (this.pending.length + this.leased.size + count <= this.most) return;
    throw new HostError('conflict', 'too_many_runs', msg('run.tooMany', { count: this.most }));
  }

  put(runId: string): Promise<void> {
    if (this.closed) return Promise.reject(hostClosing());
    const taker = this.takers.shift();
    if (taker) taker(this.lease(runId));
    else this.pending.push(runId);
    return Promise.resolve();
  }

  take(): Promise<RunLease | null> {
    const next = this.pending.shift();
    if (next !== undefined) return Promise.resolve(this.lease(next));
    if (this.closed) return Promise.resolve(null);
    return new Promise((resolve) => this.takers.push(resolve));
  }

  close(): void {
    this.closed = true;
    for (const taker of this.takers.splice(0)) taker(null);
  }

  private lease(runId: string): RunLease {
    this.leased.add(runId);
    return {
      runId,
      keepAlive: () => Promise.resolve(this.leased.has(runId)),
      finish: () => {
        this.leased.delete(runId);
        return Promise.resolve();
      },
    };
  }
}
