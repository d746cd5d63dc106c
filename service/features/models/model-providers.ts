import { randomUUID } from 'node:crypto';
import { Mutex } from 'async-mutex';
import {
  type AiMode,
  type LostSecret,
  type NewProvider,
  Provider,
  type ProviderProtocol,
  type ProviderReplacement,
  type ProviderTrial,
} from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import type { Secrets } from '../../platform/secrets.ts';
import {
  changedSecret,
  isLost,
  masked,
  openSecret,
  type StoredSecret,
} from '../../platform/stored-secret.ts';
import type { AiConfigStore } from './ai-config-service.ts';
import type { BackendChoice } from './backend-config.ts';
import { backendOf } from './backends.ts';
import type { ModelBackend } from './model-backend.ts';
import type { ModelWire } from './wire/model-wire.ts';
import { CapabilityCache } from './wire/server-capabilities.ts';

const maxProviders = 200;

/** The mode whose backend implements a protocol. */
const modeOf: Readonly<Record<ProviderProtocol, AiMode>> = {
  openai: 'cloud_c',
  anthropic: 'cloud_b',
  ollama: 'local',
};

/** A provider without its key, which is stored beside it. */
type Facts = Omit<Provider, 'apiKey'>;

interface Entry {
  facts: Facts;
  key: StoredSecret;
}

/** The providers that a person added, in memory and in the database. */
export class ModelProviders {
  private entries: readonly Entry[];
  private readonly saving = new Mutex();
  private readonly capabilityCache = new CapabilityCache();
  private readonly store: AiConfigStore;
  private readonly secrets: Secrets;
  private readonly wire: ModelWire;

  private constructor(
    store: AiConfigStore,
    secrets: Secrets,
    wire: ModelWire,
    entries: readonly Entry[],
  ) {
    this.store = store;
    this.secrets = secrets;
    this.wire = wire;
    this.entries = entries;
  }

  static async open(
    store: AiConfigStore,
    secrets: Secrets,
    wire: ModelWire,
  ): Promise<ModelProviders> {
    return new ModelProviders(store, secrets, wire, readable(await store.load(), secrets));
  }

  /** Loads changes that another host has stored. */
  reload(): Promise<void> {
    return this.saving.runExclusive(() => this.load());
  }

  private async load(): Promise<void> {
    this.entries = readable(await this.store.load(), this.secrets);
  }

  list(): Provider[] {
    return this.entries.map(viewOf);
  }

  /** @throws HostError 409 `provider_exists`, `too_many_providers` */
  add({ apiKey, ...fields }: NewProvider): Promise<Provider> {
    return this.saving.runExclusive(async () => {
      await this.load();
      if (this.entries.length >= maxProviders) throw tooMany();
      this.requireFreeName(fields.name);
      const key = changedSecret(this.secrets, { text: '', stored: '' }, apiKey);
      const entry = { facts: { ...fields, id: randomUUID() }, key };
      await this.save([...this.entries, entry]);
      return viewOf(entry);
    });
  }

  /** @throws HostError 404 `unknown_provider`, 409 `provider_exists` */
  replace(id: string, { apiKey, ...fields }: ProviderReplacement): Promise<Provider> {
    return this.saving.runExclusive(async () => {
      await this.load();
      const existing = this.get(id);
      this.requireFreeName(fields.name, id);
      const key =
        apiKey === undefined ? existing.key : changedSecret(this.secrets, existing.key, apiKey);
      const entry = { facts: { ...fields, id }, key };
      await this.save(this.entries.map((one) => (one === existing ? entry : one)));
      return viewOf(entry);
    });
  }

  /** @throws HostError 404 `unknown_provider` */
  remove(id: string): Promise<void> {
    return this.saving.runExclusive(async () => {
      await this.load();
      const existing = this.get(id);
      await this.save(this.entries.filter((one) => one !== existing));
    });
  }

  /** Returns a model of a provider. @throws HostError 404 `unknown_provider` */
  backend(id: string, model: string, windowTokens: number): ModelBackend {
    return this.opened(this.get(id), model, windowTokens).backend;
  }

  /** @throws HostError 404 `unknown_provider` */
  check(id: string | undefined): void {
    if (id !== undefined) this.get(id);
  }

  /** Undefined: the window of the AI config applies. */
  contextWindowTokens(id: string): number | undefined {
    return this.find(id)?.facts.contextWindowTokens;
  }

  /** @throws HostError 404 `unknown_provider` */
  stored(id: string): { config: BackendChoice; backend: ModelBackend } {
    return this.opened(this.get(id), '', 0);
  }

  /** @throws HostError 404 `unknown_provider` */
  trial({ id, protocol, baseUrl, apiKey, model = '' }: ProviderTrial): {
    config: BackendChoice;
    backend: ModelBackend;
  } {
    const existing = id === undefined ? { text: '', stored: '' } : this.get(id).key;
    const key = apiKey === undefined ? existing : changedSecret(this.secrets, existing, apiKey);
    return this.opened({ facts: { id: id ?? '', name: '', protocol, baseUrl }, key }, model, 0);
  }

  lostSecrets(): LostSecret[] {
    const lost = this.entries.filter(({ key }) => isLost(key));
    return lost.map(({ facts }) => ({ kind: 'provider', name: facts.name }));
  }

  private opened({ facts, key }: Entry, model: string, windowTokens: number) {
    const config: BackendChoice = {
      mode: modeOf[facts.protocol],
      apiKey: key.text,
      model,
      baseUrl: facts.baseUrl,
      contextWindowTokens: facts.contextWindowTokens ?? windowTokens,
    };
    const backend = backendOf(config, this.wire, this.capabilityCache);
    return { config, backend: { ...backend, provider: facts.id } };
  }

  private find(id: string): Entry | undefined {
    return this.entries.find(({ facts }) => facts.id === id);
  }

  private get(id: string): Entry {
    const entry = this.find(id);
    if (entry) return entry;
    throw new HostError('missing', 'unknown_provider', msg('model.providerUnknown'));
  }

  private requireFreeName(name: string, ownId?: string): void {
    const isTaken = this.entries.some(
      ({ facts }) => facts.id !== ownId && facts.name.toLowerCase() === name.toLowerCase(),
    );
    if (isTaken)
      throw new HostError('conflict', 'provider_exists', msg('model.providerExists', { name }));
  }

  /** Changes take effect only once they are stored. */
  private async save(entries: readonly Entry[]): Promise<void> {
    await this.store.save(entries.map(({ facts, key }) => ({ ...facts, apiKey: key.stored })));
    this.entries = entries;
  }
}

const viewOf = ({ facts, key }: Entry): Provider => ({ ...facts, apiKey: masked(key.text) });

const tooMany = (): HostError =>
  new HostError(
    'conflict',
    'too_many_providers',
    msg('model.tooManyProviders', { limit: maxProviders }),
  );

/** Providers that this release does not understand are skipped; the others remain. */
function readable(stored: unknown, secrets: Secrets): Entry[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((value: unknown) => {
    const { apiKey, ...rest } = (value ?? {}) as Record<string, unknown>;
    // A ciphertext is longer than the limit for its plain text, so it must not be validated.
    const result = Provider.safeParse(rest);
    if (!result.success) return [];
    const { apiKey: _, ...facts } = result.data;
    return [{ facts, key: openSecret(secrets, typeof apiKey === 'string' ? apiKey : '') }];
  });
}
