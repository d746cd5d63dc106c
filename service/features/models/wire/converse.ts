import { setTimeout as pause } from 'node:timers/promises';
import type { ModelEvent, ModelRequest } from '../model-backend.ts';
import { type ModelPlace, worded } from './fault-words.ts';
import { faultOf, mayPass, ModelFault } from './model-fault.ts';
import type { ModelLimits } from './model-limits.ts';

/** So much is found out in one request; a server that finds fault with everything is not obeyed. */
const maxLessons = 8;

/** One answer of one server, however often it has to be asked for it. */
export interface Conversation {
  place: ModelPlace;
  limits: ModelLimits;
  /** One try, what comes together together. Ends with `end`, unless the answer broke off. */
  ask: (signal: AbortSignal) => AsyncIterable<readonly ModelEvent[]>;
  /** Notes what the server does not take; true where the request is another one by that. */
  learn: (fault: ModelFault) => boolean;
}

/**
 * The events of an answer. Before the first of them the request is tried again: at once where something
 * was learned about the server, after a pause where the failure may pass.
 */
export async function* converse(
  { signal }: ModelRequest,
  conversation: Conversation,
): AsyncGenerator<ModelEvent> {
  const { place, limits, ask, learn } = conversation;
  let lessons = 0;
  for (let tries = 1; ;) {
    signal.throwIfAborted();
    const request = new OwnRequest(signal);
    let begun = false;
    try {
      for await (const events of ask(request.signal)) {
        for (const event of events) {
          begun ||= event.type !== 'usage';
          yield event;
          if (event.type === 'end') return;
        }
      }
      throw new ModelFault('broken-off');
    } catch (error) {
      signal.throwIfAborted();
      const fault = faultOf(error);
      if (begun) throw worded(cutShort(fault), place);
      if ((lessons += 1) <= maxLessons && learn(fault)) continue;
      const pauseMs = pauseBefore(fault, tries, limits);
      if (pauseMs === null) throw worded(fault, place);
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      tries += 1;
    } finally {
      request.end();
    }
  }
}

/** How long to wait for another try; null where none is worth it. */
function pauseBefore(fault: ModelFault, tries: number, limits: ModelLimits): number | null {
  const pauseMs = fault.retryAfterMs ?? limits.backOffMs * 2 ** (tries - 1);
  const isWorthIt = mayPass(fault) && tries < limits.maxTries && pauseMs <= limits.maxPauseMs;
  return isWorthIt ? pauseMs : null;
}

/** Half an event at the end is no sign of a wrong address. */
function cutShort(fault: ModelFault): ModelFault {
  return fault.kind === 'unreadable' ? new ModelFault('broken-off', { cause: fault }) : fault;
}

/** Whatever ends a try also ends its connection. */
class OwnRequest {
  private readonly controller = new AbortController();
  private readonly given: AbortSignal;
  private readonly cancel = (): void => this.controller.abort(this.given.reason);

  constructor(given: AbortSignal) {
    this.given = given;
    given.addEventListener('abort', this.cancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(): void {
    this.given.removeEventListener('abort', this.cancel);
    this.controller.abort();
  }
}
