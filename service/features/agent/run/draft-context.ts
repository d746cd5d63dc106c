export type Emit = (event: string, data: Record<string, unknown>) => void;

/** What a request to the model hears of its run, and tells it. */
export interface DraftContext {
  signal: AbortSignal;
  emit: Emit;
  /** Kept among what happened. */
  record: Emit;
}
