import type { ModelEvent } from '../model-backend.ts';
import { eventsOf } from './answer-events.ts';
import { toModelError } from './model-error.ts';
import type { ModelLimits } from './model-limits.ts';
import { Settling } from './settling.ts';

/** The request for one answer and its reader. */
export interface AnswerReading {
  limits: ModelLimits;
  signal: AbortSignal;
  ask: (signal: AbortSignal) => Promise<Response>;
  /** Converts an event of the server. */
  read: (event: unknown) => readonly ModelEvent[];
  /** True if the answer is complete so far. */
  isOver: () => boolean;
}

/**
 * Requests an answer and reads it to its end. Errors after that are ignored, and a server that
 * leaves the connection open is not waited for.
 */
export async function* eventsOfAnswer(reading: AnswerReading): AsyncGenerator<ModelEvent[]> {
  const { limits, signal, ask, read, isOver } = reading;
  const settling = new Settling(signal, limits.settleMs);
  const response = await ask(settling.signal);
  try {
    for await (const events of eventsOf(response, limits)) {
      yield events.flatMap(read);
      settling.follow(isOver());
    }
  } catch (error) {
    if (!isOver() || toModelError(error).kind === 'too-large') throw error;
  } finally {
    settling.clear();
  }
  signal.throwIfAborted();
}
