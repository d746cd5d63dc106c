import { Mutex } from 'async-mutex';
import type { Client } from '../../service/client/index.ts';
import type { Settings, SettingsPatch } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Watched } from '../core/store.ts';
import { createStore } from '../core/store.ts';

/** The settings of the service, as last read or stored. */
export interface SettingsStore extends Watched<Settings> {
  refresh(): Promise<void>;
  /** Stores the change and applies the response of the service; rejects with `ServiceError`. */
  change(patch: SettingsPatch): Promise<void>;
}

export function createSettingsStore(client: Client, initial: Settings): SettingsStore {
  const store = createStore(initial);
  const lock = new Mutex();
  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: () => lock.runExclusive(async () => store.set(await client.call(api.settings.get))),
    change: (patch) =>
      lock.runExclusive(async () =>
        store.set(await client.call(api.settings.put, { body: patch })),
      ),
  };
}
