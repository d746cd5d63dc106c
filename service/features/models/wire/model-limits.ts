/** Limits of time and size for model servers; `…Ms` in milliseconds. */
export interface ModelLimits {
  /** Until a connection is established. */
  connectMs: number;
  /** Until the first byte of an answer: a local server may have to load its model first. */
  firstByteMs: number;
  /** Between two pieces of an answer. */
  idleMs: number;
  /** For data after the end of an answer (the usage). */
  settleMs: number;
  /** For a list of models. */
  listMs: number;
  /** For reading the body of an error response. */
  refusalMs: number;
  maxTries: number;
  /** Pause before the second attempt; doubled before each further one. */
  backOffMs: number;
  /** If a server requests a longer pause, the request fails. */
  maxPauseMs: number;
  /** Bytes of one answer. */
  maxBytes: number;
  /** Bytes of one line or event of an answer, and of the arguments of all its tool calls. */
  maxLineBytes: number;
  /** Tool calls of one answer. */
  maxToolCalls: number;
}

export const modelLimits: ModelLimits = {
  connectMs: 10_000,
  firstByteMs: 300_000,
  idleMs: 60_000,
  settleMs: 5_000,
  listMs: 15_000,
  refusalMs: 15_000,
  maxTries: 3,
  backOffMs: 500,
  maxPauseMs: 30_000,
  maxBytes: 256 * 1024 * 1024,
  maxLineBytes: 16 * 1024 * 1024,
  maxToolCalls: 1_000,
};
