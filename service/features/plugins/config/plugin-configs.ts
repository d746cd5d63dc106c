import { basename } from 'node:path';
import type {
  LostSecret,
  PluginConfig,
  PluginManifest,
  UserConfigField,
} from '../../../contract/index.ts';
import type { Sandbox, Mount } from '../../../platform/isolation/sandbox.ts';
import type { FieldError } from '../../../core/host-error.ts';
import { changedSecret, isLost, masked, openSecret } from '../../../platform/stored-secret.ts';
import type { Log } from '../../../platform/log.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import {
  type ChosenPath,
  findChosen,
  type FoundPath,
  isSamePath,
  chosenPathAt,
  overlapsFolder,
} from './chosen-path.ts';
import { configMissing, invalidConfig, requiredWithout } from './config-problems.ts';
import { ConfigFiles, type StoredConfig } from './config-files.ts';
import {
  type ConfigValue,
  defaultOf,
  isPathField,
  opensPaths,
  pathProblem,
  typeProblem,
  usable,
} from './config-values.ts';
import { type Message, msg, textOf } from '../../../messages/index.ts';

type Configured = Pick<PluginManifest, 'id' | 'name' | 'permissions' | 'userConfig'>;

/** Dependencies of `PluginConfigs`. `directory` holds one file for each plugin. */
export interface PluginConfigsOptions {
  directory: string;
  secrets: Secrets;
  log: Log;
  /**
   * Called when a chosen path counts as not set at the start of a worker; `reason` is a sentence.
   */
  onUnusable: (plugin: Pick<Configured, 'id' | 'name'>, setting: string, reason: Message) => void;
  /** Plugins get no access to anything below this folder. */
  hostRoot: string;
}

/** The settings that a worker receives at its start. */
export interface WorkerConfig {
  /** Paths as the worker sees them. */
  values: Record<string, unknown>;
  /** The files and folders in the settings, writable for plugins that may change files. */
  mounts: readonly Mount[];
}

const lostMessage = msg('plugins.secretLost');

const nothing: StoredConfig = { values: {}, secrets: {}, places: {} };

/** The values that people gave to the `userConfig` settings of manifests. */
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

  /** Returns the values in plain text; settings without a value have their default. */
  valuesOf(manifest: Configured): Record<string, ConfigValue> {
    const stored = this.storedOf(manifest);
    const entries = Object.entries(manifest.userConfig).flatMap(([key, field]) => {
      const value = this.storedValue(stored, key, field) ?? defaultOf(manifest, field);
      return value === undefined ? [] : [[key, value] as const];
    });
    return Object.fromEntries(entries);
  }

  /** Returns the value of each key as plain text; empty if there is no value. */
  textsOf(manifest: Configured): Record<string, string> {
    const values = this.valuesOf(manifest);
    const keys = Object.keys(manifest.userConfig);
    return Object.fromEntries(keys.map((key) => [key, String(values[key] ?? '')]));
  }

  /** Returns the keys of required settings without a value. */
  missingOf(manifest: Configured): string[] {
    return requiredWithout(manifest, this.valuesOf(manifest));
  }

  /** Returns the secrets that the key of this machine cannot decrypt. */
  lostOf(manifest: Configured): LostSecret[] {
    const { name, userConfig } = manifest;
    return Object.entries(userConfig)
      .filter(([key]) => this.isLost(manifest, key))
      .map(([, { title }]) => ({ kind: 'plugin', name, setting: title }));
  }

  /** Returns the settings as the API shows them. */
  async viewOf(manifest: Configured): Promise<PluginConfig> {
    const values: PluginConfig['values'] = this.valuesOf(manifest);
    const unusable = await this.unusableOf(manifest);
    const pathless = unusable.filter(({ isPath }) => isPath).map(({ key }) => key);
    const usableValues = Object.entries(values).filter(([key]) => !pathless.includes(key));
    const missing = requiredWithout(manifest, Object.fromEntries(usableValues));
    for (const [key, { sensitive }] of Object.entries(manifest.userConfig))
      if (sensitive === true && Object.hasOwn(values, key))
        values[key] = masked(String(values[key]));
    const reasons = unusable.map(({ key, message }) => ({
      key,
      message: textOf(message),
      text: message,
    }));
    return reasons.length === 0 ? { values, missing } : { values, missing, unusable: reasons };
  }

  private async unusableOf(
    manifest: Configured,
  ): Promise<{ key: string; message: Message; isPath: boolean }[]> {
    const lost = Object.keys(manifest.userConfig)
      .filter((key) => this.isLost(manifest, key))
      .map((key) => ({ key, message: lostMessage, isPath: false }));
    const paths = [];
    for (const [key, found] of await this.pathsOf(manifest))
      if ('problem' in found) paths.push({ key, message: found.problem, isPath: true });
    return [...lost, ...paths];
  }

  private isLost(manifest: Configured, key: string): boolean {
    const { secrets } = this.storedOf(manifest);
    if (!Object.hasOwn(secrets, key)) return false;
    return isLost(openSecret(this.options.secrets, secrets[key] ?? ''));
  }

  private storedOf({ id }: Pick<Configured, 'id'>): StoredConfig {
    return this.stored.get(id) ?? nothing;
  }

  /**
   * Stores changes; null removes a value. Returns true if something changed.
   * @throws HostError 400 `invalid_config` with `errors` by key; then nothing was changed
   */
  async change(manifest: Configured, changes: Readonly<Record<string, unknown>>): Promise<boolean> {
    const before = JSON.stringify(this.valuesOf(manifest));
    const next: StoredConfig = structuredClone(this.storedOf(manifest));
    const errors: FieldError[] = [];
    for (const [key, value] of Object.entries(changes)) {
      const field = Object.hasOwn(manifest.userConfig, key) ? manifest.userConfig[key] : undefined;
      const problem = field
        ? await this.put(next, [key, field], value)
        : msg('plugins.unknownSetting');
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
   * Paths whose target changed since they were chosen count as not set.
   * @throws HostError 409 `config_missing` if such a path is required
   */
  async forWorker(manifest: Configured, sandbox: Sandbox): Promise<WorkerConfig> {
    const values: Record<string, unknown> = this.valuesOf(manifest);
    const writable = manifest.permissions.includes('files.write');
    const found: { key: string; mount: Mount }[] = [];
    for (const [key, path] of await this.pathsOf(manifest)) {
      if ('real' in path) {
        const inside = `/files/config/${key}/${basename(path.real)}`;
        found.push({ key, mount: { path: path.real, inside, writable } });
        continue;
      }
      delete values[key];
      this.options.log.warn(
        'plugins',
        `The setting ${key} of ${manifest.id} cannot be used. ${textOf(path.problem)}`,
      );
      const { title } = manifest.userConfig[key] ?? { title: key };
      this.options.onUnusable(manifest, title, path.problem);
    }
    const missing = requiredWithout(manifest, values);
    if (missing.length > 0) throw configMissing(manifest, missing);
    const mounts = found.map(({ mount }) => mount);
    const sandboxSpec = { mounts, network: false };
    for (const { key, mount } of found) values[key] = sandbox.inside(sandboxSpec, mount.path);
    return { values, mounts };
  }

  /** Returns the chosen paths with their current targets; none if the plugin may not use files. */
  private async pathsOf(manifest: Configured): Promise<[key: string, FoundPath][]> {
    if (!opensPaths(manifest)) return [];
    const stored = this.storedOf(manifest);
    const { hostRoot } = this.options;
    const found: [string, FoundPath][] = [];
    for (const [key, field] of Object.entries(manifest.userConfig)) {
      if (!isPathField(field)) continue;
      const value = this.storedValue(stored, key, field);
      const chosen = this.chosenPathOf(stored, key);
      if (value === undefined) continue;
      found.push([key, await findChosen(String(value), { field, chosen, hostRoot })]);
    }
    return found;
  }

  private chosenPathOf({ places, secrets }: StoredConfig, key: string): ChosenPath | null {
    const chosen = Object.hasOwn(places, key) ? places[key] : undefined;
    if (chosen === undefined) return null;
    if (!Object.hasOwn(secrets, key)) return chosen;
    const real = this.options.secrets.decrypt('secret', chosen.real);
    return real === null ? null : { real };
  }

  private storedValue(
    { values, secrets }: StoredConfig,
    key: string,
    field: UserConfigField,
  ): ConfigValue | undefined {
    if (!Object.hasOwn(secrets, key)) {
      return usable(field, Object.hasOwn(values, key) ? values[key] : undefined);
    }
    const text = this.options.secrets.decrypt('secret', secrets[key] ?? '');
    return text === null ? undefined : usable(field, JSON.parse(text) as unknown);
  }

  /** Returns the problem as a clause, or null. */
  private async put(
    config: StoredConfig,
    [key, field]: readonly [string, UserConfigField],
    value: unknown,
  ): Promise<Message | null> {
    if (field.sensitive === true && this.isUnchanged(config, [key, field], value)) return null;
    const taken = value === null || value === '';
    const chosen = await chosenPathIn(field, value);
    const problem = taken
      ? null
      : await this.problemOf(config, [key, field], { value, location: chosen });
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
    if (chosen !== null) config.places[key] = isSecret ? { real: encrypted(chosen.real) } : chosen;
    return null;
  }

  private async problemOf(
    config: StoredConfig,
    [key, field]: readonly [string, UserConfigField],
    { value, location: chosen }: { value: unknown; location: ChosenPath | null },
  ): Promise<Message | null> {
    const problem = typeProblem(field, value);
    if (problem !== null || !isPathField(field)) return problem;
    const path = String(value);
    if (await overlapsFolder(this.options.hostRoot, path)) return msg('plugins.settingOfHost');
    // Forms send back every value that they displayed, so this is not a new choice.
    const stored = this.chosenPathOf(config, key);
    const isUnchanged = stored !== null && this.storedValue(config, key, field) === value;
    if (isUnchanged && chosen !== null && !isSamePath(stored, chosen))
      return msg('plugins.settingMoved');
    return pathProblem(field, path);
  }

  /** Returns true for a masked value that a form sent back, also of a default. */
  private isUnchanged(
    config: StoredConfig,
    [key, field]: readonly [string, UserConfigField],
    value: unknown,
  ): boolean {
    if (typeof value !== 'string' || value === '') return false;
    const stored = config.secrets[key];
    if (stored === undefined) return value === masked(String(usable(field, field.default) ?? ''));
    const text = this.options.secrets.decrypt('secret', stored) ?? '';
    const current = { text, stored };
    return changedSecret(this.options.secrets, current, value) === current;
  }
}

/** Returns the target of a value that is a path. */
const chosenPathIn = async (field: UserConfigField, value: unknown): Promise<ChosenPath | null> =>
  typeof value === 'string' && value !== '' && isPathField(field) ? chosenPathAt(value) : null;
