import { Mutex } from 'async-mutex';
import type { NewSource, SourceKind } from '../../../contract/index.ts';
import { HostError, hostClosing } from '../../../core/host-error.ts';
import type { Log } from '../../../platform/log.ts';
import { readPublicKey } from '../../plugins/index.ts';
import { likelyKind } from '../catalogs/detect-kind.ts';
import type { Catalog } from '../catalogs/catalog.ts';
import type { BuiltInSource } from './built-in-source.ts';
import type { CachedCatalog, CatalogCache } from './catalog-cache.ts';
import { catalogOf, emptyCatalog } from './catalog-of.ts';
import { readSource, type SourceTools } from './read-source.ts';
import { readSourceAddress } from './source-address.ts';
import { freeSlug, sourceSlug } from './source-slug.ts';
import type { SourceRow, SourceStore } from './source-store.ts';
import { type HostText, msg } from '../../../messages/index.ts';

/** A source with its catalog. */
export interface Source extends SourceRow {
  builtIn: boolean;
  /** The last reading; null if there was none. */
  read: CachedCatalog | null;
  catalog: Catalog;
  /** Why the last refresh failed. */
  error: HostText | undefined;
}

/** Dependencies of `SourceService`. */
export interface SourceServiceOptions {
  store: SourceStore;
  cache: CatalogCache;
  builtIn: BuiltInSource;
  tools: SourceTools;
  log: Log;
  /**
   * Origins of installed plugins: their source ids are not given to sources with another address.
   */
  origins: () => { sourceId: string; sourceUrl: string }[];
}

const maxSources = 100;
const refreshesAtOnce = 4;
/** Age from which catalogs are refreshed in the background. */
const staleMs = 60 * 60 * 1_000;
/** Delay after the start, which has more urgent work. */
const firstRefreshMs = 1_000;
const refreshIntervalMs = 10 * 60 * 1_000;

/** Manages the sources of the store with their catalogs as they were last read. */
export class SourceService {
  private readonly options: SourceServiceOptions;
  private readonly sources = new Map<string, Source>();
  private readonly abortController = new AbortController();
  private readonly refreshing = new Map<string, Promise<Source>>();
  private readonly adding = new Set<Promise<Source>>();
  /** Serializes changes of the table. */
  private readonly lock = new Mutex();
  private loaded: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private first: NodeJS.Timeout | undefined;

  constructor(options: SourceServiceOptions) {
    this.options = options;
  }

  /** The built-in source first, the others in the order they were added. */
  async all(): Promise<Source[]> {
    this.loaded ??= this.load();
    await this.loaded.catch((error: unknown) => {
      this.loaded = undefined;
      throw error;
    });
    return [...this.sources.values()];
  }

  private async load(): Promise<void> {
    const { store, builtIn, cache } = this.options;
    const rows = await store.all();
    await builtIn.open();
    const own = rows.find(({ id }) => id === builtIn.id);
    const others = rows.filter(({ id }) => id !== builtIn.id);
    const all = [builtIn.row(own?.enabled ?? true), ...others];
    const read = await Promise.all(all.map(({ id }) => cache.read(id)));
    for (const [index, row] of all.entries()) {
      const source = unread(row, index === 0);
      this.take(source, null);
      this.recall(source, read[index] ?? null);
      this.sources.set(row.id, source);
    }
  }

  /** Ignores a reading of another address, and a damaged one. */
  private recall(source: Source, read: CachedCatalog | null): void {
    if (read?.url !== source.url || read.ref !== source.ref) return;
    try {
      this.take(source, read);
    } catch (error) {
      this.options.log.error('store', `The kept catalogue of ${source.id} is damaged`, error);
    }
  }

  async get(id: string): Promise<Source> {
    const source = (await this.all()).find((one) => one.id === id);
    if (source) return source;
    throw new HostError('missing', 'unknown_source', msg('store.unknownSource', { id }));
  }

  /** Adds a source. If its catalog cannot be read, the source is added with the error. */
  async add({ url: typed, kind, ref, publicKey }: NewSource): Promise<Source> {
    if (publicKey !== undefined) requireKey(publicKey);
    const { url } = await readSourceAddress(typed);
    await this.all();
    this.checkNew(url, kind, ref);
    const row: SourceRow = {
      id: '',
      kind: kind ?? likelyKind(url),
      kindSpecified: kind !== undefined,
      url,
      ref: ref ?? null,
      publicKey: publicKey ?? null,
      enabled: true,
      addedAt: new Date(),
    };
    const work = this.subscribe(unread(row, false), () => this.checkNew(url, kind, ref));
    this.adding.add(work);
    return work.finally(() => this.adding.delete(work));
  }

  /** Other changes need not wait while an address is slow. */
  private async subscribe(source: Source, check: () => void): Promise<Source> {
    await this.read(source);
    return this.lock.runExclusive(async () => {
      this.abortController.signal.throwIfAborted();
      check();
      const slug = sourceSlug(source.catalog.name, source.url);
      source.id = freeSlug(slug, (id) => this.isTaken(id, source));
      source.addedAt = new Date();
      await this.options.store.add(source);
      this.sources.set(source.id, source);
      await this.keep(source);
      return source;
    });
  }

  private checkNew(url: string, kind: SourceKind | undefined, ref: string | undefined): void {
    const same = [...this.sources.values()].find(
      (one) =>
        one.url === url && one.ref === (ref ?? null) && (kind === undefined || one.kind === kind),
    );
    if (same) {
      const message = msg('store.sourceExists', { name: same.catalog.name ?? same.id });
      throw new HostError('conflict', 'source_exists', message);
    }
    if (this.sources.size < maxSources) return;
    const message = msg('store.tooManySources', { limit: maxSources });
    throw new HostError('conflict', 'too_many_sources', message);
  }

  private isTaken(id: string, { url }: Source): boolean {
    const isOrigin = this.options
      .origins()
      .some(({ sourceId, sourceUrl }) => sourceId === id && sourceUrl !== url);
    return isOrigin || this.sources.has(id);
  }

  async remove(id: string): Promise<void> {
    const source = await this.get(id);
    if (source.builtIn) {
      const message = msg('store.builtInSource');
      throw new HostError('conflict', 'built_in_source', message);
    }
    await this.options.store.remove(id);
    this.sources.delete(id);
    await this.options.cache.remove(id);
  }

  async setEnabled(id: string, enabled: boolean): Promise<Source> {
    const source = await this.get(id);
    const { store } = this.options;
    return this.lock.runExclusive(async () => {
      if (source.builtIn && !(await store.all()).some((row) => row.id === id))
        await store.add({ ...source, enabled });
      else await store.change(id, { enabled });
      source.enabled = enabled;
      return source;
    });
  }

  /** Reads the catalog again; on failure `error` is set and the last catalog is kept. */
  async refresh(id: string): Promise<Source> {
    const source = await this.get(id);
    const running = this.refreshing.get(id);
    if (running) return running;
    const work = this.refreshOne(source).finally(() => this.refreshing.delete(id));
    this.refreshing.set(id, work);
    return work;
  }

  private async refreshOne(source: Source): Promise<Source> {
    const before = source.read;
    await this.read(source);
    if (!this.isThere(source) || source.read === before) return source;
    await this.keep(source);
    if (!source.kindSpecified && !source.builtIn) {
      await this.options.store.change(source.id, { kind: source.kind });
    }
    return source;
  }

  /** Stores the reading for the next start. */
  private async keep(source: Source): Promise<void> {
    const { cache, log } = this.options;
    if (source.read === null) return;
    await cache.write(source.id, source.read).catch((error: unknown) => {
      log.error('store', `The catalogue of ${source.id} could not be kept`, error);
    });
    if (!this.isThere(source)) await cache.remove(source.id);
  }

  private isThere(source: Source): boolean {
    return this.sources.get(source.id) === source;
  }

  private async read(source: Source): Promise<void> {
    const { url, ref, kindSpecified, builtIn, read } = source;
    if (builtIn && !this.options.builtIn.isRemote) return;
    const kind = kindSpecified || builtIn ? source.kind : null;
    try {
      const { form } = await readSourceAddress(url);
      const query = { url, form, ref, kind, cached: read };
      const fresh = await readSource(query, this.options.tools, this.abortController.signal);
      if (fresh !== null) this.take(source, fresh);
      else if (read !== null) source.read = { ...read, fetchedAt: new Date().toISOString() };
      source.error = undefined;
    } catch (error) {
      source.error = this.reasonOf(source, error);
    }
  }

  private reasonOf({ id }: Source, error: unknown): HostText {
    if (error instanceof HostError) return error.text;
    const what =
      id === '' ? 'The new source could not be read' : `The source ${id} could not be read`;
    this.options.log.error('store', what, error);
    return msg('store.catalogUnreadable');
  }

  /** Throws if the document is not a catalog; the source is then unchanged. */
  private take(source: Source, read: CachedCatalog | null): void {
    const { builtIn, tools } = this.options;
    const catalog = read === null ? emptyCatalog(source.kind) : catalogOf(read, tools.webAllow);
    source.catalog = source.builtIn ? builtIn.with(catalog) : catalog;
    source.read = read;
    source.kind = catalog.kind;
  }

  /** Refreshes outdated catalogs in the background, now and periodically. */
  start(): void {
    const run = (): void => {
      void this.refreshStale().catch((error: unknown) => {
        this.options.log.error('store', 'The sources could not be refreshed', error);
      });
    };
    this.timer = setInterval(run, refreshIntervalMs).unref();
    this.first = setTimeout(run, firstRefreshMs).unref();
  }

  private async refreshStale(): Promise<void> {
    const old = (await this.all()).filter(({ enabled, read }) => enabled && isStale(read));
    const workers = Array.from({ length: refreshesAtOnce }, async () => {
      for (
        let next = old.shift();
        next && !this.abortController.signal.aborted;
        next = old.shift()
      ) {
        await this.refresh(next.id).catch(() => undefined);
      }
    });
    await Promise.all(workers);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    clearTimeout(this.first);
    this.abortController.abort(hostClosing());
    await Promise.allSettled([...this.refreshing.values(), ...this.adding]);
  }
}

/** @throws HostError 400 `invalid_source` */
function requireKey(publicKey: string): void {
  if (readPublicKey(publicKey) !== null) return;
  const message = msg('store.invalidKey');
  throw new HostError('invalid', 'invalid_source', message);
}

const unread = (row: SourceRow, builtIn: boolean): Source => ({
  ...row,
  builtIn,
  read: null,
  catalog: emptyCatalog(row.kind),
  error: undefined,
});

/** A time in the future, from a wrong clock, counts as outdated. */
function isStale(read: CachedCatalog | null): boolean {
  const ageMs = Date.now() - Date.parse(read?.fetchedAt ?? '');
  return !(ageMs >= 0 && ageMs < staleMs);
}
