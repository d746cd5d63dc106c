import type { Store } from '../core/store.ts';
import { createStore } from '../core/store.ts';

const pageSize = 100;

/** A list that is searched and read page by page. */
export interface SearchedListState<T> {
  kind: 'loading' | 'failed' | 'ready';
  /** What `items` were searched for. */
  query: string;
  items: readonly T[];
  /** There are older ones than the last of `items`. */
  hasMore: boolean;
  error: unknown;
  /** When it was read, in milliseconds. */
  atMs: number;
}

/** Strings, as they stand in addresses. `before` is the id of the last one seen. */
export interface ListPage {
  q?: string;
  limit: string;
  before?: string;
}

/** Reads the pages of a searched list; ids tell its items apart. */
export interface ListSource<T> {
  read(page: ListPage): Promise<T[]>;
  idOf(item: T): string;
}

/** A long list that can be searched, read page by page in the order of the service. */
export class SearchedList<T> {
  readonly state: Store<SearchedListState<T>> = createStore<SearchedListState<T>>({
    kind: 'loading',
    query: '',
    items: [],
    hasMore: false,
    error: null,
    atMs: 0,
  });
  readonly #source: ListSource<T>;
  #asked = 0;

  constructor(source: ListSource<T>) {
    this.#source = source;
  }

  /** Never rejects: what fails is in the state, or what was there stays. */
  async search(query: string): Promise<void> {
    const turn = ++this.#asked;
    const before = this.state.get();
    // As much as was shown is shown again.
    const limit = query === before.query ? Math.max(pageSize, before.items.length) : pageSize;
    try {
      const items = await this.#read(query, { limit: String(limit) });
      if (turn !== this.#asked) return;
      const hasMore = items.length >= limit;
      this.state.set({ kind: 'ready', query, items, hasMore, error: null, atMs: Date.now() });
    } catch (error) {
      if (turn !== this.#asked || before.kind === 'ready') return;
      this.state.set({ ...before, kind: 'failed', error });
    }
  }

  refresh(): Promise<void> {
    return this.search(this.state.get().query);
  }

  /** Rejects with `ServiceError`. */
  async more(): Promise<void> {
    const { query, items } = this.state.get();
    const last = items.at(-1);
    if (last === undefined) return;
    const turn = ++this.#asked;
    const page = { limit: String(pageSize), before: this.#source.idOf(last) };
    const older = await this.#read(query, page);
    if (turn !== this.#asked) return;
    const hasMore = older.length >= pageSize;
    this.state.set({ ...this.state.get(), items: [...items, ...older], hasMore });
  }

  #read(query: string, page: ListPage): Promise<T[]> {
    return this.#source.read(query.trim() === '' ? page : { ...page, q: query });
  }
}
