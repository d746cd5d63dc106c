/**
 * Where runs that were made wait for a host that does them. The executor knows no other way to its work,
 * so an engine that several hosts share can stand behind this.
 */
export interface RunQueue {
  /** @throws HostError 409 `too_many_runs`, 503 `host_closing` when so many more find no room */
  requireCapacity(count: number): void;
  /** What the run is made of was stored before. @throws HostError 503 `host_closing` */
  put(runId: string): Promise<void>;
  /** The next run that nobody does, as soon as there is one; null once the queue was closed and is empty. */
  take(): Promise<RunLease | null>;
  /** Nothing more is put in. */
  close(): void;
}

/** The right to do a run, for whoever took it and nobody else. */
export interface RunLease {
  runId: string;
  /** To be called again and again while the run is done. False: it is another's now, or nobody's. */
  keepAlive(): Promise<boolean>;
  /** The run is not done any more, however it ended. */
  finish(): Promise<void>;
}
