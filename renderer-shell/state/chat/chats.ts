import type { Client } from '../../../service/client/index.ts';
import type { ConversationSummary } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { SearchedList } from '../searched-list.ts';
import type { Watched } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';
import { Conversation } from './conversation.ts';
import type { ListFilter } from './conversation-list.ts';
import { createConversationList } from './conversation-list.ts';

type Busy = 'running' | 'waiting';

/** Limit of open conversations; the others are closed unless an answer is being written in them. */
const maxOpen = 12;

/** When to look for the title from the model, in milliseconds after the answer. */
const titleAfterMs = [1_500, 5_000, 20_000];

/** The conversations of the shell: their list and the open ones. */
export class Chats {
  readonly list: SearchedList<ConversationSummary>;
  /** The filter of `list`. */
  readonly filter = createStore<ListFilter>({ kind: 'all' });
  /**
   * Conversations where an answer is being written, by id; `waiting` means that a decision is
   * pending.
   */
  readonly busy: Watched<ReadonlyMap<string, Busy>>;
  readonly #busy = createStore<ReadonlyMap<string, Busy>>(new Map());
  readonly #open = new Map<string, Conversation>();
  readonly #client: Client;
  readonly #onStored: (conversationId: string) => void;
  #fresh: Conversation;

  /** `onStored` receives the id of a new conversation once it is stored. */
  constructor(client: Client, onStored: (conversationId: string) => void) {
    this.#client = client;
    this.#onStored = onStored;
    this.list = createConversationList(client, this.filter);
    this.busy = this.#busy;
    this.#fresh = this.#create(null);
    this.list.state.subscribe(() => {
      for (const item of this.list.state.get().items) this.#open.get(item.id)?.onListed(item);
    });
  }

  /** Returns an open conversation; null returns the new one. */
  of(id: string | null): Conversation {
    if (id === null) return this.#fresh;
    const open = this.#open.get(id);
    const conversation = open ?? this.#create(id);
    if (!open) this.#keep(id, conversation);
    return conversation;
  }

  /** Creates another new conversation beside the one that `of(null)` returns. */
  start(): Conversation {
    return this.#create(null);
  }

  #create(id: string | null): Conversation {
    const ports = { client: this.#client, onChange: (one: Conversation) => this.#changed(one) };
    const conversation = new Conversation(ports, id);
    conversation.state.subscribe(() => this.#watch(conversation));
    return conversation;
  }

  #watch(conversation: Conversation): void {
    const { id, turn } = conversation.state.get();
    if (id === null) return;
    const isPending = turn?.state === 'awaiting_approval';
    const now = isPending ? 'waiting' : conversation.isRunning ? 'running' : undefined;
    if (this.#busy.get().get(id) === now) return;
    const busy = new Map(this.#busy.get());
    if (now) busy.set(id, now);
    else busy.delete(id);
    this.#busy.set(busy);
  }

  #changed(conversation: Conversation): void {
    const { id } = conversation.state.get();
    if (id !== null && !conversation.isClosed && !this.#open.has(id)) this.#keep(id, conversation);
    if (id !== null && conversation === this.#fresh) {
      this.#fresh = this.#create(null);
      this.#onStored(id);
    }
    this.#awaitTitle(conversation);
    void this.list.refresh();
  }

  /** Changes the filter of the list. */
  show(filter: ListFilter): void {
    this.filter.set(filter);
    void this.list.refresh();
  }

  /** Reads the title later: the model writes it after the first answer of a new conversation. */
  #awaitTitle(conversation: Conversation): void {
    const { id, messages, turn } = conversation.state.get();
    if (id === null || messages.length !== 2 || turn?.state !== 'done') return;
    for (const afterMs of titleAfterMs)
      setTimeout(() => {
        if (!conversation.isClosed) void this.list.refresh();
      }, afterMs);
  }

  #keep(id: string, conversation: Conversation): void {
    this.#open.set(id, conversation);
    for (const [old, one] of this.#open) {
      if (this.#open.size <= maxOpen) break;
      if (old === id || one.isRunning) continue;
      this.#open.delete(old);
      one.close();
    }
  }

  /** Rejects with `ServiceError`. */
  async rename(id: string, title: string): Promise<void> {
    const body = { title };
    const renamed = await this.#client.call(api.conversations.update, { params: { id }, body });
    this.#open.get(id)?.renamed(renamed);
    await this.list.refresh();
  }

  /** Rejects with `ServiceError`. */
  async remove(id: string): Promise<void> {
    await this.#client.call(api.conversations.remove, { params: { id } });
    this.#open.get(id)?.close();
    this.#open.delete(id);
    await this.list.refresh();
  }

  /**
   * Creates a conversation with the messages up to and including that one; resolves with its id.
   */
  async fork(id: string, messageIndex: number): Promise<string> {
    const body = { messageIndex };
    const forked = await this.#client.call(api.conversations.fork, { params: { id }, body });
    await this.list.refresh();
    return forked.id;
  }

  /** Reads again after an outage of the service; turns reconnect by themselves. */
  refresh(): void {
    void this.list.refresh();
    for (const conversation of this.#open.values()) void conversation.load();
  }

  close(): void {
    this.#fresh.close();
    for (const conversation of this.#open.values()) conversation.close();
  }
}
