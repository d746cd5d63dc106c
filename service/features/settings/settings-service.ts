import { isDeepStrictEqual } from 'node:util';
import { Mutex } from 'async-mutex';
import {
  type LostSecret,
  type Settings,
  type SettingsPatch,
  WritableSettings,
} from '../../contract/index.ts';
import { Topic } from '../../core/topic.ts';
import {
  changedSecret,
  isLost,
  type StoredSecret,
  masked,
  openSecret,
} from '../../platform/stored-secret.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { SettingsStore } from './settings-store.ts';

type ComputerUse = () => Promise<Settings['computerUse']>;

/** The current settings, in memory and in the database. */
export class SettingsService {
  /** Emits the keys of a request after its change was stored. */
  readonly changes = new Topic<{ settings: WritableSettings; keys: string[] }>();
  private current: WritableSettings;
  private searchKey: StoredSecret;
  private readonly saving = new Mutex();
  private readonly store: SettingsStore;
  private readonly secrets: Secrets;
  private readonly computerUse: ComputerUse;

  private constructor(
    store: SettingsStore,
    secrets: Secrets,
    computerUse: ComputerUse,
    stored: Record<string, unknown>,
  ) {
    this.store = store;
    this.secrets = secrets;
    this.computerUse = computerUse;
    const { settings, searchKey } = readable(stored);
    this.searchKey = openSecret(secrets, searchKey);
    this.current = withSearchKey(settings, this.searchKey);
  }

  static async open(
    store: SettingsStore,
    secrets: Secrets,
    computerUse: ComputerUse,
  ): Promise<SettingsService> {
    return new SettingsService(store, secrets, computerUse, await store.all());
  }

  get values(): Readonly<WritableSettings> {
    return this.current;
  }

  /** Returns the secrets that must be entered again. */
  lostSecrets(): LostSecret[] {
    return isLost(this.searchKey) ? [{ kind: 'web_search', name: '' }] : [];
  }

  /**
   * Returns the settings for clients: secrets are masked; one that must be entered again is empty.
   */
  async publicSettings(): Promise<Settings> {
    const { webSearch } = this.current;
    return {
      ...this.current,
      webSearch: { ...webSearch, apiKey: masked(webSearch.apiKey) },
      computerUse: await this.computerUse(),
    };
  }

  /** Changes are serialized and take effect once they are stored. */
  change({ computerUse: _, ...patch }: SettingsPatch): Promise<Settings> {
    return this.saving.runExclusive(() => this.apply(patch));
  }

  /** Loads changes that another host has stored. */
  reload(): Promise<void> {
    return this.saving.runExclusive(async () => {
      const { settings, searchKey } = readable(await this.store.all());
      if (searchKey !== this.searchKey.stored || isLost(this.searchKey))
        this.searchKey = openSecret(this.secrets, searchKey);
      const next = withSearchKey(settings, this.searchKey);
      const keys = (Object.keys(next) as (keyof WritableSettings)[]).filter(
        (key) => !isDeepStrictEqual(next[key], this.current[key]),
      );
      if (keys.length === 0) return;
      this.current = next;
      this.changes.publish({ settings: next, keys });
    });
  }

  private async apply(patch: Omit<SettingsPatch, 'computerUse'>): Promise<Settings> {
    const newKey = patch.webSearch?.apiKey;
    const searchKey =
      newKey === undefined ? this.searchKey : changedSecret(this.secrets, this.searchKey, newKey);
    const next = withSearchKey(merged(this.current, patch), searchKey);
    const keys = Object.keys(patch) as (keyof WritableSettings)[];
    const stored = {
      ...next,
      webSearch: { ...next.webSearch, apiKey: searchKey.stored },
    };
    await this.store.save(Object.fromEntries(keys.map((key) => [key, stored[key]])));
    this.current = next;
    this.searchKey = searchKey;
    this.changes.publish({ settings: next, keys });
    return this.publicSettings();
  }
}

function merged(
  current: WritableSettings,
  patch: Omit<SettingsPatch, 'computerUse'>,
): WritableSettings {
  const webSearch = { ...current.webSearch, ...patch.webSearch };
  const permissionRules = { ...current.permissionRules, ...patch.permissionRules };
  return { ...current, ...patch, webSearch, permissionRules };
}

function withSearchKey(settings: WritableSettings, { text }: StoredSecret): WritableSettings {
  return { ...settings, webSearch: { ...settings.webSearch, apiKey: text } };
}

/**
 * A stored value that this release does not understand falls back to its default; the others
 * remain.
 */
function readable(stored: Record<string, unknown>): {
  settings: WritableSettings;
  searchKey: string;
} {
  // A ciphertext is longer than the limit for its plain text, so it must not be validated.
  const { apiKey, ...webSearch } = (stored['webSearch'] ?? {}) as Record<string, unknown>;
  const values: Record<string, unknown> = { ...stored, webSearch };
  const valid = Object.entries(WritableSettings.shape).map(([key, schema]) => {
    const result = schema.safeParse(values[key]);
    return [key, result.success ? result.data : schema.parse(undefined)];
  });
  return {
    settings: Object.fromEntries(valid) as WritableSettings,
    searchKey: typeof apiKey === 'string' ? apiKey : '',
  };
}
