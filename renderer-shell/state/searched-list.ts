import type { Store } from '../core/store.ts';
import { createStore } from '../core/store.ts';

const pageSize = 100;

/** The state of a searchable list. */
export interface SearchedListState<T> {
  kind: 'loading' | 'failed' | 'ready';
  /** The query that `items` match. */
  query: string;
  items: readonly T[];
  /** True if there are items after the last of `items`. */
  hasMore: boolean;
  error: unknown;
  /** The time of the last reading, in milliseconds. */
  atMs: number;
}

/** Query parameters, as strings. `before` is the id of the last item so far. */
export interface ListPage {
  q?: string;
  limit: string;
  before?: string;
}

/** Reads the pages of a list. */
export interface ListSource<T> {
  read(page: ListPage): Promise<T[]>;
  idOf(item: T): string;
}

/** A long searchable list, read page by page in the order of the service. */
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
  #requests = 0;

  constructor(source: ListSource<T>) {
    this.#source = source;
  }

  /** Never rejects: on failure the error is in the state, or the last items stay. */
  async search(query: string): Promise<void> {
    const turn = ++this.#requests;
    const before = this.state.get();
    // Reads as many items as were visible.
    const limit = query === before.query ? Math.max(pageSize, before.items.length) : pageSize;
    try {
      const items = await this.#read(query, { limit: String(limit) });
      if (turn !== this.#requests) return;
      const hasMore = items.length >= limit;
      this.state.set({ kind: 'ready', query, items, hasMore, error: null, atMs: Date.now() });
    } catch (error) {
      if (turn !== this.#requests || before.kind === 'ready') return;
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
    const turn = ++this.#requests;
    const page = { limit: String(pageSize), before: this.#source.idOf(last) };
    const older = await this.#read(query, page);
    if (turn !== this.#requests) return;
    const hasMore = older.length >= pageSize;
    this.state.set({ ...this.state.get(), items: [...items, ...older], hasMore });
  }

  #read(query: string, page: ListPage): Promise<T[]> {
    return this.#source.read(query.trim() === '' ? page : { ...page, q: query });
  }
}
