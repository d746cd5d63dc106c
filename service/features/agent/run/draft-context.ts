export type Emit = (event: string, data: Record<string, unknown>) => void;

/** The connection of a model request to its run. */
export interface DraftContext {
  signal: AbortSignal;
  emit: Emit;
  /** Sends and stores an event. */
  record: Emit;
}
