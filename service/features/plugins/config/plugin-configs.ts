import { basename } from 'node:path';
import type {
  LostSecret,
  PluginConfig,
  PluginManifest,
  UserConfigField,
} from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import type { Boxing, Mount } from '../../../platform/isolation/box.ts';
import { changedSecret, isLost, masked, openSecret } from '../../../platform/kept-secret.ts';
import type { Log } from '../../../platform/log.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { type ChosenPlace, isSamePlace, placeAt, reachesInto } from './chosen-place.ts';
import { ConfigFiles, type StoredConfig } from './config-files.ts';
import {
  type ConfigValue,
  isPathField,
  pathProblem,
  typeProblem,
  usable,
} from './config-values.ts';

type Configured = Pick<PluginManifest, 'id' | 'name' | 'permissions' | 'userConfig'>;

export interface PluginConfigsOptions {
  directory: string;
  secrets: Secrets;
  log: Log;
  /** Nothing below it is handed to a plugin. */
  hostRoot: string;
}

/** What a worker is given when it starts. */
export interface WorkerConfig {
  /** Paths as the worker sees them. */
  values: Record<string, unknown>;
  /** The files and folders among them; plugins that may change files may write. */
  mounts: readonly Mount[];
}

const nothing: StoredConfig = { values: {}, secrets: {}, places: {} };

/** The settings that people gave to plugins: `userConfig` of their manifests. */
export class PluginConfigs {
  private readonly options: PluginConfigsOptions;
  private readonly files: ConfigFiles;
  private stored: Map<string, StoredConfig>;

  private constructor(
    options: PluginConfigsOptions,
    files: ConfigFiles,
    stored: Map<string, StoredConfig>,
  ) {
    this.options = options;
    this.files = files;
    this.stored = stored;
  }

  static async open(options: PluginConfigsOptions): Promise<PluginConfigs> {
    const files = new ConfigFiles(options.directory);
    const stored = await files.all((id) =>
      options.log.warn('plugins', `The settings of ${id} cannot be read; enter them again.`),
    );
    return new PluginConfigs(options, files, stored);
  }

  /** In clear, with defaults in place of what is not set. */
  valuesOf({ id, userConfig }: Configured): Record<string, ConfigValue> {
    const stored = this.stored.get(id) ?? nothing;
    const entries = Object.entries(userConfig).flatMap(([key, field]) => {
      const value = this.storedValue(stored, key, field) ?? usable(field, field.default);
      return value === undefined ? [] : [[key, value] as const];
    });
    return Object.fromEntries(entries);
  }

  /** In clear as text, of each key; empty where nothing is set. */
  textsOf(manifest: Configured): Record<string, string> {
    const values = this.valuesOf(manifest);
    const keys = Object.keys(manifest.userConfig);
    return Object.fromEntries(keys.map((key) => [key, String(values[key] ?? '')]));
  }

  /** Keys of required settings without a value. */
  missingOf(manifest: Configured): string[] {
    return requiredWithout(manifest, this.valuesOf(manifest));
  }

  /** Secrets that the key of this machine does not open. */
  lostOf({ id, name, userConfig }: Configured): LostSecret[] {
    const { secrets } = this.stored.get(id) ?? nothing;
    return Object.entries(userConfig)
      .filter(([key]) => Object.hasOwn(secrets, key))
      .filter(([key]) => isLost(openSecret(this.options.secrets, secrets[key] ?? '')))
      .map(([, { title }]) => ({ kind: 'plugin', name, setting: title }));
  }

  /** As the outside sees it. */
  viewOf(manifest: Configured): PluginConfig {
    const values: PluginConfig['values'] = this.valuesOf(manifest);
    for (const [key, { sensitive }] of Object.entries(manifest.userConfig))
      if (sensitive === true && Object.hasOwn(values, key))
        values[key] = masked(String(values[key]));
    return { values, missing: this.missingOf(manifest) };
  }

  /**
   * Stores changes; null takes a value back. True where something is different afterwards.
   * @throws HostError 400 `invalid_config` with `errors` by key; then nothing was changed
   */
  async change(manifest: Configured, changes: Readonly<Record<string, unknown>>): Promise<boolean> {
    const before = JSON.stringify(this.valuesOf(manifest));
    const next: StoredConfig = structuredClone(this.stored.get(manifest.id) ?? nothing);
    const errors: { path: string; message: string }[] = [];
    for (const [key, value] of Object.entries(changes)) {
      const field = Object.hasOwn(manifest.userConfig, key) ? manifest.userConfig[key] : undefined;
      const problem = field ? await this.put(next, [key, field], value) : 'is no setting of it';
      if (problem !== null) errors.push({ path: key, message: problem });
    }
    if (errors.length > 0) throw invalidConfig(manifest, errors);
    await this.files.write(manifest.id, next);
    this.stored.set(manifest.id, next);
    return JSON.stringify(this.valuesOf(manifest)) !== before;
  }

  async forget(id: string): Promise<void> {
    this.stored.delete(id);
    await this.files.remove(id);
  }

  /**
   * Paths that lead elsewhere than when they were chosen count as not set.
   * @throws HostError 409 `config_missing` where such a one is required
   */
  async forWorker(manifest: Configured, boxing: Boxing): Promise<WorkerConfig> {
    const { permissions, userConfig } = manifest;
    const values = this.valuesOf(manifest);
    if (!permissions.some((one) => one.startsWith('files.'))) return { values, mounts: [] };
    const writable = permissions.includes('files.write');
    const found: { key: string; mount: Mount }[] = [];
    for (const [key, field] of Object.entries(userConfig)) {
      const value = isPathField(field) ? values[key] : undefined;
      if (value === undefined) continue;
      const path = await this.chosenPath(manifest.id, [key, field], String(value));
      const inside = `/files/config/${key}/${basename(path ?? '')}`;
      if (path === null) delete values[key];
      else found.push({ key, mount: { path, inside, writable } });
    }
    const missing = requiredWithout(manifest, values);
    if (missing.length > 0) throw configMissing(manifest, missing);
    const mounts = found.map(({ mount }) => mount);
    const box = { mounts, network: false };
    for (const { key, mount } of found) values[key] = boxing.inside(box, mount.path);
    return { values, mounts };
  }

  /** Without links; null where it is not what a person chose. */
  private async chosenPath(
    id: string,
    [key, field]: readonly [string, UserConfigField],
    value: string,
  ): Promise<string | null> {
    const now = await placeAt(value);
    const chosen = this.placeOf(this.stored.get(id) ?? nothing, key);
    const { hostRoot, log } = this.options;
    if (now !== null && chosen !== null && isSamePlace(chosen, now)) {
      const isKept = (await pathProblem(field, now.real)) === null;
      if (isKept && !(await reachesInto(hostRoot, now.real))) return now.real;
    }
    log.warn(
      'plugins',
      `The setting ${key} of ${id} counts as not set: nothing that was chosen in its settings lies at that path now. Choose it again.`,
    );
    return null;
  }

  private placeOf({ places, secrets }: StoredConfig, key: string): ChosenPlace | null {
    const place = Object.hasOwn(places, key) ? places[key] : undefined;
    if (place === undefined) return null;
    if (!Object.hasOwn(secrets, key)) return place;
    const real = this.options.secrets.decryptOrNull('secret', place.real);
    return real === null ? null : { ...place, real };
  }

  private storedValue(
    { values, secrets }: StoredConfig,
    key: string,
    field: UserConfigField,
  ): ConfigValue | undefined {
    if (!Object.hasOwn(secrets, key)) {
      return usable(field, Object.hasOwn(values, key) ? values[key] : undefined);
    }
    const text = this.options.secrets.decryptOrNull('secret', secrets[key] ?? '');
    return text === null ? undefined : usable(field, JSON.parse(text) as unknown);
  }

  /** The problem as a clause, or null. */
  private async put(
    config: StoredConfig,
    [key, field]: readonly [string, UserConfigField],
    value: unknown,
  ): Promise<string | null> {
    if (field.sensitive === true && this.isUnchanged(config, [key, field], value)) return null;
    const taken = value === null || value === '';
    const place = await placeIn(field, value);
    const problem = taken ? null : await this.problemOf(config, [key, field], { value, place });
    if (problem !== null) return problem;
    delete config.values[key];
    delete config.secrets[key];
    delete config.places[key];
    if (taken) return null;
    const { secrets } = this.options;
    const encrypted = (text: string): string => secrets.encrypt('secret', text);
    const isSecret = field.sensitive === true;
    if (isSecret) config.secrets[key] = encrypted(JSON.stringify(value));
    else config.values[key] = value;
    if (place !== null)
      config.places[key] = isSecret ? { ...place, real: encrypted(place.real) } : place;
    return null;
  }

  private async problemOf(
    config: StoredConfig,
    [key, field]: readonly [string, UserConfigField],
    { value, place }: { value: unknown; place: ChosenPlace | null },
  ): Promise<string | null> {
    const problem = typeProblem(field, value);
    if (problem !== null || !isPathField(field)) return problem;
    const path = String(value);
    if (await reachesInto(this.options.hostRoot, path)) return 'must not hold files of the host';
    // A form sends back all that it showed: nobody has chosen this path anew.
    const kept = this.placeOf(config, key);
    const isKept = kept !== null && this.storedValue(config, key, field) === value;
    if (isKept && place !== null && !isSamePlace(kept, place))
      return 'leads elsewhere than when it was chosen; clear it and save, then choose it again';
    return pathProblem(field, path);
  }

  /** A masked value that is sent back, of a default too. */
  private isUnchanged(
    config: StoredConfig,
    [key, field]: readonly [string, UserConfigField],
    value: unknown,
  ): boolean {
    if (typeof value !== 'string' || value === '') return false;
    const stored = config.secrets[key];
    if (stored === undefined) return value === masked(String(usable(field, field.default) ?? ''));
    const text = this.options.secrets.decryptOrNull('secret', stored) ?? '';
    const kept = { text, stored };
    return changedSecret(this.options.secrets, kept, value) === kept;
  }
}

/** Where a value leads that is a path. */
const placeIn = async (field: UserConfigField, value: unknown): Promise<ChosenPlace | null> =>
  typeof value === 'string' && value !== '' && isPathField(field) ? placeAt(value) : null;

/** Keys of required settings that have no value. */
function requiredWithout({ userConfig }: Configured, values: Record<string, unknown>): string[] {
  const required = Object.entries(userConfig).filter(([, field]) => field.required);
  return required.map(([key]) => key).filter((key) => !Object.hasOwn(values, key));
}

function invalidConfig(
  { userConfig }: Configured,
  errors: { path: string; message: string }[],
): HostError {
  const reasons = errors.map(
    ({ path, message }) => `${userConfig[path]?.title ?? path} ${message}`,
  );
  return new HostError(
    'invalid',
    'invalid_config',
    `The settings cannot be stored: ${reasons.join('; ')}.`,
    { errors },
  );
}

type Named = Pick<PluginManifest, 'name' | 'userConfig'>;

/** What is missing, as a clause. */
export function missingReason(
  { userConfig }: Pick<Named, 'userConfig'>,
  missing: readonly string[],
): string {
  const named = missing.map((key) => `${userConfig[key]?.title ?? key} (${key})`).join(', ');
  return `needs a value for ${named}. Enter it in the settings of the plugin.`;
}

/** For a call that comes before the required settings have values. */
export function configMissing(manifest: Named, missing: readonly string[]): HostError {
  return new HostError(
    'conflict',
    'config_missing',
    `${manifest.name} ${missingReason(manifest, missing)}`,
    { errors: missing.map((path) => ({ path, message: 'is missing' })) },
  );
}
