import type { Client } from '../../service/client/index.ts';
import type { AiConfig, AiConfigPatch } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Watched } from '../store.ts';
import { createStore } from '../store.ts';
import { createTurns } from '../turns.ts';

/** Which model answers; null until it is known. */
export interface ModelBook extends Watched<AiConfig | null> {
  /** Never rejects: what was known stays. */
  refresh(): Promise<void>;
  /** Takes over what the service answers; rejects with `ServiceError`. */
  change(patch: AiConfigPatch): Promise<void>;
}

export function createModelBook(client: Client): ModelBook {
  const store = createStore<AiConfig | null>(null);
  const inTurn = createTurns();
  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: () =>
      inTurn(async () => store.set(await client.call(api.aiConfig.get))).catch(() => undefined),
    change: (patch) =>
      inTurn(async () => store.set(await client.call(api.aiConfig.put, { body: patch }))),
  };
}
