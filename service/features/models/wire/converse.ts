import { setTimeout as pause } from 'node:timers/promises';
import type { ModelEvent, ModelRequest } from '../model-backend.ts';
import { type ModelEndpoint, toHostError } from './to-host-error.ts';
import { toModelError, isRetryable, ModelError } from './model-error.ts';
import type { ModelLimits } from './model-limits.ts';

/** So much is found out in one request; a server that finds fault with everything is not obeyed. */
const maxLessons = 8;

/** One answer of one server, however often it has to be asked for it. */
export interface Conversation {
  endpoint: ModelEndpoint;
  limits: ModelLimits;
  /** One try, what comes together together. Ends with `end`, unless the answer broke off. */
  ask: (signal: AbortSignal) => AsyncIterable<readonly ModelEvent[]>;
  /** Notes what the server does not take; true where the request is another one by that. */
  learn: (modelError: ModelError) => boolean;
}

/**
 * The events of an answer. Before the first of them the request is tried again: at once where something
 * was learned about the server, after a pause where the failure may pass.
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

/** How long to wait for another try; null where none is worth it. */
function pauseBefore(modelError: ModelError, tries: number, limits: ModelLimits): number | null {
  const pauseMs = modelError.retryAfterMs ?? limits.backOffMs * 2 ** (tries - 1);
  const isWorthIt =
    isRetryable(modelError) && tries < limits.maxTries && pauseMs <= limits.maxPauseMs;
  return isWorthIt ? pauseMs : null;
}

/** Half an event at the end is no sign of a wrong address. */
function cutShort(modelError: ModelError): ModelError {
  return modelError.kind === 'unreadable'
    ? new ModelError('broken-off', { cause: modelError })
    : modelError;
}

/** Whatever ends a try also ends its connection. */
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
