import { type BackendConfig, hostOf } from '../backend-config.ts';
import type { ModelBackend, ModelEvent, ModelRequest } from '../model-backend.ts';
import { converse } from './converse.ts';
import { listModelNames } from './list-model-names.ts';
import type { ModelError } from './model-error.ts';
import type { ModelLimits } from './model-limits.ts';

/** The parts that differ between protocols; waiting, retries and error messages are shared. */
export interface Protocol {
  /** Makes one attempt. The last event is `end`, unless the answer broke off. */
  ask: (request: ModelRequest, signal: AbortSignal) => AsyncIterable<readonly ModelEvent[]>;
  list: (signal: AbortSignal) => Promise<unknown>;
  /** Records a feature that the server refuses; true if that changes the request. */
  learn: (modelError: ModelError, request: ModelRequest) => boolean;
  /** Like `learn`, for a request of the list. */
  learnFromList?: (modelError: ModelError) => boolean;
}

/** Creates a backend from the parts of a protocol, with retries and readable errors. */
export function protocolBackend(
  config: BackendConfig,
  limits: ModelLimits,
  { ask, list, learn, learnFromList }: Protocol,
): ModelBackend {
  const { mode, model, apiKey } = config;
  const endpoint = { host: hostOf(config), model, apiKey };
  return {
    mode,
    model,
    stream: (request) =>
      converse(request, {
        endpoint,
        limits,
        ask: (signal) => ask(request, signal),
        learn: (modelError) => learn(modelError, request),
      }),
    models: (signal) => listModelNames({ endpoint, limits, signal, learn: learnFromList }, list),
  };
}
