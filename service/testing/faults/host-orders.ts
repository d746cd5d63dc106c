/** What a host of its own process is asked for, and answers, besides its API. */
export type HostOrder =
  /** It is loaded, and starts only now; with another wall clock where one is given. */
  | { do: 'start'; clockOffsetMs?: number }
  /** The next writes are counted, and from the `failAt`-th on (or it alone) they fail. */
  | { do: 'fail'; plan: WriteFailurePlan }
  /** Nothing fails any more. Answers what was counted. */
  | { do: 'heal' }
  /** Moves the wall clock of the process. */
  | { do: 'clock'; offsetMs: number }
  /** Bytes of memory in use, after the garbage is gone. */
  | { do: 'memory' };

export interface WriteFailurePlan {
  failAt: number;
  /** EIO hits one write; ENOSPC stays, for whatever needs space. */
  code: 'EIO' | 'ENOSPC';
}

export interface WriteCount {
  /** Each write since `fail`, in words. */
  writes: string[];
  /** Those of them that failed. */
  failed: string[];
}

export type HostMessage =
  { ready: { port: number; mode: 'SETUP' | 'APP' } } | { answer: WriteCount | number | null };
