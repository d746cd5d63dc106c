/**
 * The user's settings: stored, validated and served. Features subscribe to changes of their values.
 */
import type { Database } from '../../platform/database/database.ts';
import type { Route } from '../../http/route.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Settings } from '../../contract/index.ts';
import { type RequireRules, settingsRoutes } from './routes.ts';
import { SettingsService } from './settings-service.ts';
import { SettingsStore } from './settings-store.ts';

/** A value of another feature, stored beside the settings. */
export interface StoredValue {
  load(): Promise<unknown>;
  save(value: unknown): Promise<void>;
}

/** The settings, their routes, and storage for internal values. */
export interface SettingsFeature {
  service: SettingsService;
  routes: Route[];
  /** Returns storage for a name that is not a setting. */
  stored(name: string): StoredValue;
}

export async function createSettings(options: {
  database: Database;
  secrets: Secrets;
  /** Read again for every request. */
  computerUse: () => Promise<Settings['computerUse']>;
  resetDatabase: () => Promise<string | null>;
  /** @throws HostError 422 `invalid_rules` for invalid lines */
  requireRules: RequireRules;
}): Promise<SettingsFeature> {
  const store = new SettingsStore(options.database);
  const service = await SettingsService.open(store, options.secrets, options.computerUse);
  return {
    service,
    routes: settingsRoutes(service, options),
    stored: (name) => ({
      load: async () => (await store.all())[name],
      save: (value) => store.save({ [name]: value }),
    }),
  };
}
