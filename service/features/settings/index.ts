/** What the user chose: stored, validated, answered. Whoever needs a value listens for its change. */
import type { Database } from '../../platform/database/database.ts';
import type { Route } from '../../http/route.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Settings } from '../../contract/index.ts';
import { type RequireRules, settingsRoutes } from './routes.ts';
import { SettingsService } from './settings-service.ts';
import { SettingsStore } from './settings-store.ts';

/** One value of another feature, kept beside the settings. */
export interface StoredValue {
  load(): Promise<unknown>;
  save(value: unknown): Promise<void>;
}

/** The settings, their routes, and storage for internal values. */
export interface SettingsFeature {
  service: SettingsService;
  routes: Route[];
  /** A name that is no setting. */
  stored(name: string): StoredValue;
}

export async function createSettings(options: {
  database: Database;
  secrets: Secrets;
  /** Asked each time. */
  computerUse: () => Promise<Settings['computerUse']>;
  resetDatabase: () => Promise<string | null>;
  /** Throws 422 `invalid_rules` for lines that are no rules. */
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
