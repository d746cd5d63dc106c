import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import type { PluginConfig, PluginManifest, UserConfigField } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import type { Boxing, Mount } from '../../../platform/isolation/box.ts';
import { changedSecret, masked } from '../../../platform/kept-secret.ts';
import type { Log } from '../../../platform/log.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { areOverlapping } from '../../../platform/trees/overlapping.ts';
import { ConfigFiles, type StoredConfig } from './config-files.ts';
import {
  type ConfigValue,
  isPathField,
  pathProblem,
  typeProblem,
  usable,
} from './config-values.ts';

type Configured = Pick<PluginManifest, 'id' | 'permissions' | 'userConfig'>;

export interface PluginConfigsOptions {
  directory: string;
  secrets: Secrets;
  log: Log;
  /** Nothing below it is handed to a plugin. */
  hostRoot: string;
}

const nothing: StoredConfig = { values: {}, secrets: {} };

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
    const entries = Object.entries(userConfig).flatMap(([key, field]) => {
      const value = this.storedValue(id, key, field) ?? usable(field, field.default);
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
    const required = Object.entries(manifest.userConfig).filter(([, field]) => field.required);
    if (required.length === 0) return [];
    const values = this.valuesOf(manifest);
    return required.map(([key]) => key).filter((key) => !Object.hasOwn(values, key));
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

  /** For `host.initialize`: paths as the worker sees them. */
  async forWorker(manifest: Configured, boxing: Boxing): Promise<Record<string, ConfigValue>> {
    const values = this.valuesOf(manifest);
    const found = await this.chosenPaths(manifest);
    const box = { mounts: found.map(({ mount }) => mount), network: false };
    for (const { key, mount } of found) values[key] = boxing.inside(box, mount.path);
    return values;
  }

  /** The files and folders that a person chose in its settings; plugins that may change files may write. */
  async mountsOf(manifest: Configured): Promise<Mount[]> {
    return (await this.chosenPaths(manifest)).map(({ mount }) => mount);
  }

  /** Those that are there now. */
  private async chosenPaths(manifest: Configured): Promise<{ key: string; mount: Mount }[]> {
    const { permissions, userConfig } = manifest;
    if (!permissions.some((one) => one.startsWith('files.'))) return [];
    const writable = permissions.includes('files.write');
    const chosen = Object.entries(this.valuesOf(manifest)).map(async ([key, value]) => {
      const field = userConfig[key];
      if (!field || !isPathField(field)) return null;
      const path = await realpath(String(value)).catch(() => null);
      if (path === null || (await pathProblem(field, path)) !== null) return null;
      return { key, mount: { path, inside: `/files/config/${key}/${basename(path)}`, writable } };
    });
    return (await Promise.all(chosen)).filter((one) => one !== null);
  }

  private storedValue(id: string, key: string, field: UserConfigField): ConfigValue | undefined {
    const { values, secrets } = this.stored.get(id) ?? nothing;
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
    if (value !== null && field.sensitive === true && this.isUnchanged(config, key, value))
      return null;
    const problem = value === null || value === '' ? null : await this.problemOf(field, value);
    if (problem !== null) return problem;
    delete config.values[key];
    delete config.secrets[key];
    if (value === null || value === '') return null;
    if (field.sensitive === true)
      config.secrets[key] = this.options.secrets.encrypt('secret', JSON.stringify(value));
    else config.values[key] = value;
    return null;
  }

  private async problemOf(field: UserConfigField, value: unknown): Promise<string | null> {
    const problem = typeProblem(field, value);
    if (problem !== null || !isPathField(field)) return problem;
    const { hostRoot } = this.options;
    const path = String(value);
    if (areOverlapping(hostRoot, path)) return 'must not hold files of the host';
    return pathProblem(field, path);
  }

  /** A masked value that is sent back. */
  private isUnchanged(config: StoredConfig, key: string, value: unknown): boolean {
    const stored = config.secrets[key];
    if (stored === undefined || typeof value !== 'string') return false;
    const text = this.options.secrets.decryptOrNull('secret', stored) ?? '';
    const kept = { text, stored };
    return changedSecret(this.options.secrets, kept, value) === kept;
  }
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
