import { type BackendConfig, hostOf } from '../backend-config.ts';
import type { ModelBackend, ModelEvent, ModelRequest } from '../model-backend.ts';
import { converse } from './converse.ts';
import { listed } from './listed.ts';
import type { ModelFault } from './model-fault.ts';
import type { ModelLimits } from './model-limits.ts';

/** The parts that differ between protocols; waiting, retries and error messages are shared. */
export interface Protocol {
  /** One try. Ends with `end`, unless the answer broke off. */
  ask: (request: ModelRequest, signal: AbortSignal) => AsyncIterable<readonly ModelEvent[]>;
  list: (signal: AbortSignal) => Promise<unknown>;
  /** Notes what the server does not take; true where the request is another one by that. */
  learn: (fault: ModelFault, request: ModelRequest) => boolean;
  /** The same of a request for the list. */
  learnFromList?: (fault: ModelFault) => boolean;
}

export function protocolBackend(
  config: BackendConfig,
  limits: ModelLimits,
  { ask, list, learn, learnFromList }: Protocol,
): ModelBackend {
  const { mode, model, apiKey } = config;
  const place = { host: hostOf(config), model, apiKey };
  return {
    mode,
    model,
    stream: (request) =>
      converse(request, {
        place,
        limits,
        ask: (signal) => ask(request, signal),
        learn: (fault) => learn(fault, request),
      }),
    models: (signal) => listed({ place, limits, signal, learn: learnFromList }, list),
  };
}
