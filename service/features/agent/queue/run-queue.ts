/**
 * Queue of created runs that wait for a host to execute them. It is the executor's only source of
 * work, so a queue shared by several hosts can replace it.
 */
export interface RunQueue {
  /** @throws HostError 409 `too_many_runs`, 503 `host_closing` if `count` more runs do not fit */
  requireCapacity(count: number): void | Promise<void>;
  /** Adds a run that is stored already. @throws HostError 503 `host_closing` */
  put(runId: string): Promise<void>;
  /** Resolves with the next run; null once the queue is closed and empty. */
  take(): Promise<RunLease | null>;
  /** Refuses new runs; queued ones can still be taken. */
  close(): void;
}

/** The exclusive right to execute a run. */
export interface RunLease {
  runId: string;
  /**
   * Renews the lease; called repeatedly during the run. False: another host has the run, or it was
   * removed.
   */
  keepAlive(): Promise<boolean>;
  /** Releases the lease after the run has ended in any way. */
  finish(): Promise<void>;
}
