import { setTimeout as pause } from 'node:timers/promises';
import type { ModelEvent, ModelRequest } from '../model-backend.ts';
import { type ModelEndpoint, toHostError } from './to-host-error.ts';
import { toModelError, isRetryable, ModelError } from './model-error.ts';
import type { ModelLimits } from './model-limits.ts';

/** Changes of a request in response to errors; a server that refuses everything is given up. */
const maxLessons = 8;

/** One answer of a server, including retries. */
export interface Conversation {
  endpoint: ModelEndpoint;
  limits: ModelLimits;
  /**
   * Makes one attempt. Events that arrive together are one batch. The last event is `end`, unless
   * the answer broke off.
   */
  ask: (signal: AbortSignal) => AsyncIterable<readonly ModelEvent[]>;
  /** Records a feature that the server refuses; true if that changes the request. */
  learn: (modelError: ModelError) => boolean;
}

/**
 * Streams the events of an answer. Before the first event, a failed request is repeated: at once if
 * a feature was disabled, after a pause if the failure may be temporary.
 */
export async function* converse(
  { signal }: ModelRequest,
  conversation: Conversation,
): AsyncGenerator<ModelEvent> {
  const { endpoint, limits, ask, learn } = conversation;
  let lessons = 0;
  for (let tries = 1; ;) {
    signal.throwIfAborted();
    const request = new OwnRequest(signal);
    let hasStarted = false;
    try {
      for await (const events of ask(request.signal)) {
        for (const event of events) {
          hasStarted ||= event.type !== 'usage';
          yield event;
          if (event.type === 'end') return;
        }
      }
      throw new ModelError('broken-off');
    } catch (error) {
      signal.throwIfAborted();
      const modelError = toModelError(error);
      if (hasStarted) throw toHostError(cutShort(modelError), endpoint);
      if ((lessons += 1) <= maxLessons && learn(modelError)) continue;
      const pauseMs = pauseBefore(modelError, tries, limits);
      if (pauseMs === null) throw toHostError(modelError, endpoint);
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      tries += 1;
    } finally {
      request.end();
    }
  }
}

/** Pause before the next attempt in ms; null if it is not worthwhile. */
function pauseBefore(modelError: ModelError, tries: number, limits: ModelLimits): number | null {
  const pauseMs = modelError.retryAfterMs ?? limits.backOffMs * 2 ** (tries - 1);
  const isWorthIt =
    isRetryable(modelError) && tries < limits.maxTries && pauseMs <= limits.maxPauseMs;
  return isWorthIt ? pauseMs : null;
}

/** An incomplete event at the end does not mean that the address is wrong. */
function cutShort(modelError: ModelError): ModelError {
  return modelError.kind === 'unreadable'
    ? new ModelError('broken-off', { cause: modelError })
    : modelError;
}

/** The signal of one attempt; ending the attempt also closes its connection. */
class OwnRequest {
  private readonly controller = new AbortController();
  private readonly callerSignal: AbortSignal;
  private readonly cancel = (): void => this.controller.abort(this.callerSignal.reason);

  constructor(callerSignal: AbortSignal) {
    this.callerSignal = callerSignal;
    callerSignal.addEventListener('abort', this.cancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(): void {
    this.callerSignal.removeEventListener('abort', this.cancel);
    this.controller.abort();
  }
}
