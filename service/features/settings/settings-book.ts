import { type Settings, type SettingsPatch, WritableSettings } from '../../contract/index.ts';
import { Topic } from '../../core/topic.ts';
import { isEncrypted, type Secrets } from '../../platform/secrets.ts';
import type { SettingsStore } from './settings-store.ts';

/** The settings in force, in memory and in the database. */
export class SettingsBook {
  /** Told after a change was stored, with the keys that were in the request. */
  readonly changes = new Topic<{ settings: WritableSettings; keys: string[] }>();
  private current: WritableSettings;
  private saving: Promise<unknown> = Promise.resolve();
  private readonly store: SettingsStore;
  private readonly secrets: Secrets;
  private readonly computerUse: () => Settings['computerUse'];

  private constructor(
    store: SettingsStore,
    secrets: Secrets,
    computerUse: () => Settings['computerUse'],
    stored: Record<string, unknown>,
  ) {
    this.store = store;
    this.secrets = secrets;
    this.computerUse = computerUse;
    this.current = readable(stored, secrets);
  }

  static async open(
    store: SettingsStore,
    secrets: Secrets,
    computerUse: () => Settings['computerUse'],
  ): Promise<SettingsBook> {
    return new SettingsBook(store, secrets, computerUse, await store.all());
  }

  get values(): Readonly<WritableSettings> {
    return this.current;
  }

  /** For the outside: secrets masked. */
  shown(): Settings {
    const { webSearch } = this.current;
    return {
      ...this.current,
      webSearch: { ...webSearch, apiKey: masked(webSearch.apiKey) },
      computerUse: this.computerUse(),
    };
  }

  /** One change after the other; nothing is in force before it is stored. */
  change(patch: SettingsPatch): Promise<Settings> {
    const result = this.saving.then(() => this.apply(patch));
    this.saving = result.catch(() => undefined);
    return result;
  }

  private async apply(patch: SettingsPatch): Promise<Settings> {
    const next = merged(this.current, patch);
    const keys = Object.keys(patch) as (keyof WritableSettings)[];
    await this.store.save(Object.fromEntries(keys.map((key) => [key, this.stored(key, next)])));
    this.current = next;
    this.changes.publish({ settings: next, keys });
    return this.shown();
  }

  private stored(key: keyof WritableSettings, settings: WritableSettings): unknown {
    if (key !== 'webSearch') return settings[key];
    const { apiKey } = settings.webSearch;
    return {
      ...settings.webSearch,
      apiKey: apiKey === '' ? '' : this.secrets.encrypt('secret', apiKey),
    };
  }
}

function merged(current: WritableSettings, patch: SettingsPatch): WritableSettings {
  const webSearch = { ...current.webSearch, ...patch.webSearch };
  if (patch.webSearch?.apiKey?.includes('***')) webSearch.apiKey = current.webSearch.apiKey;
  const permissionRules = { ...current.permissionRules, ...patch.permissionRules };
  return { ...current, ...patch, webSearch, permissionRules };
}

/** A stored value that this release does not understand falls back to its default; the others stay. */
function readable(stored: Record<string, unknown>, secrets: Secrets): WritableSettings {
  const known = Object.entries(WritableSettings.shape).map(([key, schema]) => {
    const result = schema.safeParse(stored[key]);
    return [key, result.success ? result.data : schema.parse(undefined)];
  });
  const settings = Object.fromEntries(known) as WritableSettings;
  return {
    ...settings,
    webSearch: { ...settings.webSearch, apiKey: decrypted(settings.webSearch.apiKey, secrets) },
  };
}

function decrypted(text: string, secrets: Secrets): string {
  if (!isEncrypted(text)) return '';
  try {
    return secrets.decrypt('secret', text);
  } catch {
    return '';
  }
}

const shownCharacters = 4;

/** Keeps the first and last characters where enough stays hidden. */
export function masked(secret: string): string {
  if (secret === '') return '';
  if (secret.length < shownCharacters * 4) return '***';
  return `${secret.slice(0, shownCharacters)}***${secret.slice(-shownCharacters)}`;
}
