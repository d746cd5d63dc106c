import type { Client } from '../../../service/client/index.ts';
import type {
  MarketplacePlugin,
  NewSource,
  PluginStoreSource,
} from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { createStore } from '../../core/store.ts';

/** The state of the store's listing. */
export interface ListingState {
  /** Null until loaded. The last items stay when reading fails. */
  items: readonly MarketplacePlugin[] | null;
  sources: readonly PluginStoreSource[] | null;
  error: unknown;
  /** Ids of sources that are being read again. */
  checking: ReadonlySet<string>;
}

/** Reading a catalog may take the host half a minute, and a repository longer. */
const readLimitMs = 5 * 60_000;
const soonMs = 400;
/** The same limit as for the host's background checks. */
const maxConcurrentChecks = 3;

/** The plugins of all sources and the installed ones, and the sources themselves. */
export class Listing {
  readonly state = createStore<ListingState>({
    items: null,
    sources: null,
    error: null,
    checking: new Set<string>(),
  });
  readonly #client: Client;
  readonly #closing: AbortSignal;
  #requests = 0;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client, closing: AbortSignal) {
    this.#client = client;
    this.#closing = closing;
    closing.addEventListener('abort', () => clearTimeout(this.#refreshTimer), { once: true });
  }

  /** Never rejects: on failure the error is in the state, and the last items stay. */
  async refresh(): Promise<void> {
    const turn = ++this.#requests;
    try {
      const [items, sources] = await Promise.all([
        this.#client.call(api.market.list, { query: {} }),
        this.#client.call(api.store.sources),
      ]);
      if (turn === this.#requests) this.#patch({ items, sources, error: null });
    } catch (error) {
      if (turn === this.#requests) this.#patch({ error });
    }
  }

  /** Refreshes after a short delay, once for many requests. */
  refreshSoon(): void {
    this.#refreshTimer ??= setTimeout(() => {
      this.#refreshTimer = undefined;
      void this.refresh();
    }, soonMs);
  }

  /** Makes the host read catalogs again: those of the given sources, or of all enabled ones. */
  async check(sourceIds?: readonly string[]): Promise<void> {
    if (this.state.get().sources === null) await this.refresh();
    const ids = sourceIds ?? this.#enabledIds();
    const pending = ids.filter((id) => !this.state.get().checking.has(id));
    this.#setChecking([...this.state.get().checking, ...pending]);
    const workers = Array.from({ length: maxConcurrentChecks }, async () => {
      for (let id = pending.shift(); id !== undefined; id = pending.shift())
        await this.#checkOne(id);
    });
    await Promise.all(workers);
    await this.refresh();
  }

  async #checkOne(id: string): Promise<void> {
    try {
      const input = { params: { id }, signal: this.#limit() };
      this.#take(await this.#client.call(api.store.refreshSource, input));
    } catch (error) {
      this.#patch({ error });
    } finally {
      this.#setChecking([...this.state.get().checking].filter((one) => one !== id));
    }
  }

  /**
   * Resolves with the source, whose `error` says why its catalog cannot be read. Rejects if the
   * address is not a source.
   */
  async add(body: NewSource): Promise<PluginStoreSource> {
    const added = await this.#client.call(api.store.addSource, { body, signal: this.#limit() });
    await this.refresh();
    return added;
  }

  async remove(id: string): Promise<void> {
    await this.#client.call(api.store.removeSource, { params: { id } });
    await this.refresh();
  }

  async setEnabled(id: string, enabled: boolean): Promise<void> {
    const input = { params: { id }, body: { enabled } };
    this.#take(await this.#client.call(api.store.setSourceEnabled, input));
    await this.refresh();
  }

  find(id: string): MarketplacePlugin | undefined {
    return this.state.get().items?.find((item) => item.id === id);
  }

  #enabledIds(): string[] {
    const sources = this.state.get().sources ?? [];
    return sources.filter(({ enabled }) => enabled).map(({ id }) => id);
  }

  #limit(): AbortSignal {
    return AbortSignal.any([this.#closing, AbortSignal.timeout(readLimitMs)]);
  }

  #take(source: PluginStoreSource): void {
    const { sources } = this.state.get();
    if (sources)
      this.#patch({ sources: sources.map((one) => (one.id === source.id ? source : one)) });
  }

  #setChecking(ids: readonly string[]): void {
    this.#patch({ checking: new Set(ids) });
  }

  #patch(change: Partial<ListingState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }
}
