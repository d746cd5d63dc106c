/** Commands for a host in its own process, besides its API, and their answers. */
export type HostOrder =
  /** Starts the loaded host, optionally with a shifted wall clock. */
  | { do: 'start'; clockOffsetMs?: number }
  /** Counts writes from now on; the `failAt`-th fails, alone or with all later ones. */
  | { do: 'fail'; plan: WriteFailurePlan }
  /** Stops failing writes. Returns the counts. */
  | { do: 'heal' }
  /** Shifts the wall clock of the process. */
  | { do: 'clock'; offsetMs: number }
  /** Returns the bytes of memory in use after garbage collection. */
  | { do: 'memory' };

/** Writes that must fail. */
export interface WriteFailurePlan {
  failAt: number;
  /** EIO fails one write; ENOSPC fails all later ones that need space. */
  code: 'EIO' | 'ENOSPC';
}

/** Result of counting writes. */
export interface WriteCount {
  /** A description of each write since `fail`. */
  writes: string[];
  /** Those that failed. */
  failed: string[];
}

export type HostMessage =
  { ready: { port: number; mode: 'SETUP' | 'APP' } } | { answer: WriteCount | number | null };
