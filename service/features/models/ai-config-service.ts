import { isDeepStrictEqual } from 'node:util';
import { Mutex } from 'async-mutex';
import {
  type AiConfig,
  type AiConfigPatch,
  AiMode,
  type AiMode as Mode,
  eachMode,
  type LostSecret,
  StoredAiConfig,
} from '../../contract/index.ts';
import {
  changedSecret,
  isLost,
  type StoredSecret,
  masked,
  openSecret,
} from '../../platform/stored-secret.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { BackendChoice } from './backend-config.ts';
import { backendOf, isReady } from './backends.ts';
import type { ModelBackend } from './model-backend.ts';
import type { ModelWire } from './wire/model-wire.ts';
import { CapabilityCache } from './wire/server-capabilities.ts';

/** Stores the configuration; its keys are encrypted. */
export interface AiConfigStore {
  load(): Promise<unknown>;
  save(value: unknown): Promise<void>;
}

type Keys = Record<Mode, StoredSecret>;

/** The configuration of the model backends, in memory and in the database. */
export class AiConfigService {
  private config: StoredAiConfig;
  private keys: Keys;
  private backend: ModelBackend | null;
  private readonly saving = new Mutex();
  private readonly capabilityCache = new CapabilityCache();
  private readonly store: AiConfigStore;
  private readonly secrets: Secrets;
  private readonly wire: ModelWire;

  private constructor(store: AiConfigStore, secrets: Secrets, wire: ModelWire, stored: unknown) {
    this.store = store;
    this.secrets = secrets;
    this.wire = wire;
    const { config, keys } = readable(stored);
    this.config = config;
    this.keys = eachMode((mode) => openSecret(secrets, keys[mode]));
    this.backend = this.newBackend();
  }

  static async open(
    store: AiConfigStore,
    secrets: Secrets,
    wire: ModelWire,
  ): Promise<AiConfigService> {
    return new AiConfigService(store, secrets, wire, await store.load());
  }

  get contextWindowTokens(): number {
    return this.config.contextWindowTokens;
  }

  /**
   * The active backend; null if a required field is missing. A caller keeps its backend when the
   * configuration changes.
   */
  current(): ModelBackend | null {
    return this.backend;
  }

  /**
   * Creates a backend from the stored configuration and `overrides`; the caller checks whether it
   * is complete.
   */
  trial(
    mode: Mode,
    overrides: Partial<Pick<BackendChoice, 'apiKey' | 'model' | 'baseUrl'>>,
  ): {
    config: BackendChoice;
    backend: ModelBackend;
  } {
    const { apiKey, ...rest } = overrides;
    const stored = this.configOf(mode);
    const key = apiKey === undefined ? stored.apiKey : this.keyFor(mode, apiKey).text;
    const defined = Object.entries(rest).filter(([, value]) => value !== undefined);
    const config = { ...stored, ...Object.fromEntries(defined), apiKey: key };
    return { config, backend: backendOf(config, this.wire, this.capabilityCache) };
  }

  /** Returns another model of a mode; null if the mode is not ready. */
  withModel(mode: Mode = this.config.activeMode, model: string): ModelBackend | null {
    const { config, backend } = this.trial(mode, { model });
    return isReady(config) ? backend : null;
  }

  /**
   * The configuration for clients: keys are masked, and a key that must be entered again is empty.
   */
  view(): AiConfig {
    const backends = eachMode((mode) => ({
      ...this.config[mode],
      apiKey: masked(this.keys[mode].text),
    }));
    return { ...this.config, ...backends, ready: this.backend !== null };
  }

  /** Keys that must be entered again, because they cannot be decrypted. */
  lostSecrets(): LostSecret[] {
    const lost = AiMode.options.filter((mode) => isLost(this.keys[mode]));
    return lost.map((name) => ({ kind: 'model', name }));
  }

  /** Changes are sequential, and take effect after they are stored. */
  change(patch: AiConfigPatch): Promise<AiConfig> {
    return this.saving.runExclusive(() => this.apply(patch));
  }

  /** Loads changes that another host has stored. A running turn keeps its backend. */
  reload(): Promise<void> {
    return this.saving.runExclusive(async () => {
      const { config, keys } = readable(await this.store.load());
      // A lost key is tried again: this host may have the key of its cluster by now.
      const isSame = AiMode.options.every(
        (mode) => keys[mode] === this.keys[mode].stored && !isLost(this.keys[mode]),
      );
      if (isSame && isDeepStrictEqual(config, this.config)) return;
      this.config = config;
      this.keys = eachMode((mode) => openSecret(this.secrets, keys[mode]));
      this.backend = this.newBackend();
    });
  }

  private async apply(patch: AiConfigPatch): Promise<AiConfig> {
    const { ready: _ready, ...changes } = patch;
    const keys = eachMode((mode) => this.keyFor(mode, changes[mode]?.apiKey));
    const config: StoredAiConfig = {
      activeMode: changes.activeMode ?? this.config.activeMode,
      contextWindowTokens: changes.contextWindowTokens ?? this.config.contextWindowTokens,
      ...eachMode((mode) => ({ ...this.config[mode], ...changes[mode], apiKey: '' })),
    };
    const stored = eachMode((mode) => ({ ...config[mode], apiKey: keys[mode].stored }));
    await this.store.save({ ...config, ...stored });
    this.config = config;
    this.keys = keys;
    this.backend = this.newBackend();
    return this.view();
  }

  private keyFor(mode: Mode, input: string | undefined): StoredSecret {
    const existing = this.keys[mode];
    return input === undefined ? existing : changedSecret(this.secrets, existing, input);
  }

  private configOf(mode: Mode): BackendChoice {
    const { contextWindowTokens } = this.config;
    return { ...this.config[mode], mode, apiKey: this.keys[mode].text, contextWindowTokens };
  }

  private newBackend(): ModelBackend | null {
    const config = this.configOf(this.config.activeMode);
    return isReady(config) ? backendOf(config, this.wire, this.capabilityCache) : null;
  }
}

/** Invalid stored values fall back to their defaults; the others are kept. */
function readable(stored: unknown): { config: StoredAiConfig; keys: Record<Mode, string> } {
  const values = recordOf(stored);
  // A ciphertext is longer than the limit for its plain text, so it must not be validated.
  const plain: Record<string, unknown> = {
    ...values,
    ...eachMode((mode) => ({ ...recordOf(values[mode]), apiKey: '' })),
  };
  const entries = Object.entries(StoredAiConfig.shape).map(([key, schema]) => {
    const result = schema.safeParse(plain[key]);
    return [key, result.success ? result.data : schema.parse(undefined)];
  });
  const keys = eachMode((mode) => {
    const { apiKey } = recordOf(values[mode]);
    return typeof apiKey === 'string' ? apiKey : '';
  });
  return { config: Object.fromEntries(entries) as StoredAiConfig, keys };
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
