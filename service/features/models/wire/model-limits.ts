/** How long and how much a model server may take. */
export interface ModelLimits {
  /** Until a connection stands. */
  connectMs: number;
  /** Until the first byte of an answer: a local server may have to load its model first. */
  firstByteMs: number;
  /** Between two pieces of an answer. */
  idleMs: number;
  /** What may still follow after the end of an answer was told (the usage). */
  settleMs: number;
  /** For a list of models. */
  listMs: number;
  /** Time to read the body of a refusal. */
  refusalMs: number;
  maxTries: number;
  /** Before the second try; doubled before each further one. */
  backOffMs: number;
  /** A server that wants a longer pause is not waited for. */
  maxPauseMs: number;
  /** Of one answer. */
  maxBytes: number;
  /** Limit of one line or event of an answer, and of the arguments of all its tool calls. */
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
