import { Mutex } from 'async-mutex';
import type { Client } from '../../../service/client/index.ts';
import type { AiConfig, AiConfigPatch } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Watched } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';

/** The store of the model configuration; null until it is loaded. */
export interface ModelConfigStore extends Watched<AiConfig | null> {
  /** Why it could not be loaded, or null. */
  error: Watched<unknown>;
  /** Never rejects: on failure the last known value stays. */
  refresh(): Promise<void>;
  /** Stores the change and applies the response of the service; rejects with `ServiceError`. */
  change(patch: AiConfigPatch): Promise<void>;
}

export function createModelConfigStore(client: Client): ModelConfigStore {
  const store = createStore<AiConfig | null>(null);
  const error = createStore<unknown>(null);
  const lock = new Mutex();
  const take = (config: AiConfig): void => {
    store.set(config);
    error.set(null);
  };
  return {
    get: store.get,
    subscribe: store.subscribe,
    error,
    refresh: () =>
      lock
        .runExclusive(async () => take(await client.call(api.aiConfig.get)))
        .catch((failure: unknown) => {
          if (store.get() === null) error.set(failure);
        }),
    change: (patch) =>
      lock.runExclusive(async () => take(await client.call(api.aiConfig.put, { body: patch }))),
  };
}
