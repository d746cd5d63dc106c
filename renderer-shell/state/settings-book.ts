import type { Client } from '../../service/client/index.ts';
import type { Settings, SettingsPatch } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Watched } from '../store.ts';
import { createStore } from '../store.ts';

export interface SettingsBook extends Watched<Settings> {
  refresh(): Promise<void>;
  /** Stores the change and takes over what the service answers; rejects with `ServiceError`. */
  change(patch: SettingsPatch): Promise<void>;
}

export function createSettingsBook(client: Client, initial: Settings): SettingsBook {
  const store = createStore(initial);
  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: async () => store.set(await client.call(api.settings.get)),
    change: async (patch) => store.set(await client.call(api.settings.put, { body: patch })),
  };
}
