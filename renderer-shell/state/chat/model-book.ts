import type { Client } from '../../../service/client/index.ts';
import type { AiConfig, AiConfigPatch } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Watched } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';
import { createTurns } from '../../core/turns.ts';

/** Which model answers; null until it is known. */
export interface ModelBook extends Watched<AiConfig | null> {
  /** Why it is not known, or null. */
  error: Watched<unknown>;
  /** Never rejects: what was known stays. */
  refresh(): Promise<void>;
  /** Takes over what the service answers; rejects with `ServiceError`. */
  change(patch: AiConfigPatch): Promise<void>;
}

export function createModelBook(client: Client): ModelBook {
  const store = createStore<AiConfig | null>(null);
  const error = createStore<unknown>(null);
  const inTurn = createTurns();
  const take = (config: AiConfig): void => {
    store.set(config);
    error.set(null);
  };
  return {
    get: store.get,
    subscribe: store.subscribe,
    error,
    refresh: () =>
      inTurn(async () => take(await client.call(api.aiConfig.get))).catch((failure: unknown) => {
        if (store.get() === null) error.set(failure);
      }),
    change: (patch) =>
      inTurn(async () => take(await client.call(api.aiConfig.put, { body: patch }))),
  };
}
