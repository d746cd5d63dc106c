import { randomUUID } from 'node:crypto';
import type { ChatMessage, Conversation, ConversationSummary } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { Turns } from '../../../core/turns.ts';
import type { ConversationRow, ConversationStore } from './conversation-store.ts';
import { titleOf } from './message-text.ts';

const everything = 1_000_000_000;
const maxListed = 10_000;

/** The turn that works on a conversation; nobody else may change its messages meanwhile. */
export interface ActiveTurns {
  streamIdOf(conversationId: string): string | undefined;
  /** For a conversation that goes: resolves when nothing of its turn is left. */
  cancel(conversationId: string): Promise<void>;
}

/** A message, in the conversation as somebody saw it. */
export interface Place {
  index: number;
  revision: number;
}

/** What people and models said to each other, as it is stored. */
export class ConversationBook {
  private readonly store: ConversationStore;
  private readonly active: ActiveTurns;
  private readonly changing = new Map<string, Turns>();

  constructor(store: ConversationStore, active: ActiveTurns) {
    this.store = store;
    this.active = active;
  }

  async list(query: {
    q?: string;
    limit?: number;
    before?: string;
  }): Promise<ConversationSummary[]> {
    const before = query.before === undefined ? null : await this.row(query.before);
    const q = query.q?.trim() ?? '';
    const limit = Math.min(query.limit ?? maxListed, maxListed);
    const rows = await this.store.list({ q: q === '' ? null : q, limit, before });
    return rows.map((row) => this.summary(row));
  }

  async show(id: string, page: { limit?: number; before?: number } = {}): Promise<Conversation> {
    const row = await this.row(id);
    const before = Math.min(page.before ?? row.messageCount, row.messageCount);
    const read = await this.store.messagesOf(id, { limit: page.limit ?? everything, before });
    return { ...this.view(row), ...read };
  }

  async create(title: string, messages: readonly ChatMessage[]): Promise<Conversation> {
    return this.add(title === '' ? titleOf(messages) : title, messages, null);
  }

  private async add(
    title: string,
    messages: readonly ChatMessage[],
    parentId: string | null,
  ): Promise<Conversation> {
    const now = new Date().toISOString();
    const row: ConversationRow = {
      ...{ id: randomUUID(), title, parentId, revision: 1 },
      ...{ messageCount: messages.length, createdAt: now, updatedAt: now },
    };
    await this.store.add(row, messages);
    return { ...this.view(row), firstIndex: 0, messages: [...messages] };
  }

  /** @throws HostError 409 `stale_revision`, `turn_running`; then nothing is stored */
  replace(
    id: string,
    change: { title: string; messages: readonly ChatMessage[]; revision?: number },
  ): Promise<Conversation> {
    return this.alone(id, async () => {
      const row = await this.row(id);
      if (change.revision !== undefined && change.revision !== row.revision) throw stale();
      if (this.active.streamIdOf(id) !== undefined) throw turnRunning();
      const { messages } = change;
      const title = change.title === '' ? row.title : change.title;
      const fresh = changed({ ...row, title, messageCount: messages.length });
      await this.store.replace(fresh, messages);
      return { ...this.view(fresh), firstIndex: 0, messages: [...messages] };
    });
  }

  /**
   * Adds at the end, or in the place of a message and of all behind it. A conversation without a title
   * of its own gets one.
   * @throws HostError 409 `stale_revision`, 404 `unknown_message`; then nothing is stored
   */
  append(id: string, messages: readonly ChatMessage[], place?: Place): Promise<ConversationRow> {
    return this.alone(id, async () => {
      const row = await this.rowAt(id, place);
      const kept = place?.index ?? row.messageCount;
      const title =
        row.messageCount === 0 && row.title === titleOf([]) ? titleOf(messages) : row.title;
      const fresh = changed({ ...row, title, messageCount: kept + messages.length });
      await this.store.append(fresh, messages, { cut: kept < row.messageCount });
      return fresh;
    });
  }

  /** Writes the message at a position again. */
  rewrite(id: string, position: number, message: ChatMessage): Promise<ConversationRow> {
    return this.alone(id, async () => {
      const fresh = changed(await this.row(id));
      await this.store.rewrite(fresh, position, message);
      return fresh;
    });
  }

  rename(id: string, title: string): Promise<ConversationSummary & { revision: number }> {
    return this.alone(id, async () => {
      const fresh = changed({ ...(await this.row(id)), title });
      await this.store.update(fresh);
      return { ...this.summary(fresh), revision: fresh.revision };
    });
  }

  async remove(id: string): Promise<void> {
    await this.row(id);
    await this.active.cancel(id);
    await this.alone(id, () => this.store.remove(id));
    this.changing.delete(id);
  }

  /** @throws HostError 404 `unknown_message` */
  async fork(id: string, messageIndex: number): Promise<Conversation> {
    const row = await this.row(id);
    if (messageIndex >= row.messageCount) {
      throw unknownMessage(row);
    }
    const page = { limit: everything, before: messageIndex + 1 };
    const { messages } = await this.store.messagesOf(id, page);
    return this.add(row.title, messages, id);
  }

  private summary(row: ConversationRow): ConversationSummary {
    const { id, title, createdAt, updatedAt, messageCount } = row;
    const activeStreamId = this.active.streamIdOf(id);
    return {
      ...{ id, title, createdAt, updatedAt, messageCount },
      ...(activeStreamId === undefined ? {} : { activeStreamId }),
    };
  }

  private view(row: ConversationRow): Omit<Conversation, 'firstIndex' | 'messages'> {
    const { parentId, revision } = row;
    return { ...this.summary(row), ...(parentId === null ? {} : { parentId }), revision };
  }

  /** @throws HostError 404 `unknown_conversation` */
  async row(id: string): Promise<ConversationRow> {
    const row = await this.store.find(id);
    if (row) return row;
    throw new HostError('missing', 'unknown_conversation', 'There is no such conversation.');
  }

  /** The same, where it is still what somebody saw. @throws HostError as `append` */
  async rowAt(id: string, place?: Place): Promise<ConversationRow> {
    const row = await this.row(id);
    if (place === undefined) return row;
    if (place.revision !== row.revision) throw stale();
    if (place.index >= row.messageCount) throw unknownMessage(row);
    return row;
  }

  /** Its first messages. @throws HostError 409 `stale_revision` where there are fewer */
  async first(id: string, count: number): Promise<ChatMessage[]> {
    if (count === 0) return [];
    const { messages } = await this.store.messagesOf(id, { limit: count, before: count });
    if (messages.length < count) throw stale();
    return messages;
  }

  private alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turns = this.changing.get(id) ?? new Turns();
    this.changing.set(id, turns);
    return turns.alone(work);
  }
}

const changed = (row: ConversationRow): ConversationRow => ({
  ...row,
  revision: row.revision + 1,
  updatedAt: new Date().toISOString(),
});

function unknownMessage({ messageCount }: ConversationRow): HostError {
  const message = `The conversation has ${messageCount} messages, numbered from 0.`;
  return new HostError('missing', 'unknown_message', message);
}

function stale(): HostError {
  const message = 'The conversation was changed meanwhile. Read it again before you change it.';
  return new HostError('conflict', 'stale_revision', message);
}

function turnRunning(): HostError {
  const message = 'An answer is being written in this conversation. Wait for it, or cancel it.';
  return new HostError('conflict', 'turn_running', message);
}
