import type { Client } from '../../service/client/index.ts';
import type { ConversationSummary } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Store } from '../store.ts';
import { createStore } from '../store.ts';

const pageSize = 100;

export interface ConversationListState {
  kind: 'loading' | 'failed' | 'ready';
  /** What `items` were searched for. */
  query: string;
  items: readonly ConversationSummary[];
  /** There are older ones than the last of `items`. */
  hasMore: boolean;
  error: unknown;
  /** When it was read, in milliseconds. */
  atMs: number;
}

/** The conversations, the one changed last first. */
export class ConversationList {
  readonly state: Store<ConversationListState> = createStore<ConversationListState>({
    ...{ kind: 'loading', query: '', items: [], hasMore: false, error: null, atMs: 0 },
  });
  readonly #client: Client;
  #asked = 0;

  constructor(client: Client) {
    this.#client = client;
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
    if (!last) return;
    const turn = ++this.#asked;
    const limit = String(pageSize);
    const older = await this.#read(query, { limit, before: last.id });
    if (turn !== this.#asked) return;
    const hasMore = older.length >= pageSize;
    this.state.set({ ...this.state.get(), items: [...items, ...older], hasMore });
  }

  #read(query: string, page: { limit: string; before?: string }): Promise<ConversationSummary[]> {
    const searched = query.trim() === '' ? {} : { q: query };
    return this.#client.call(api.conversations.list, { query: { ...page, ...searched } });
  }
}
