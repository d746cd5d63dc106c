import { isDeepStrictEqual } from 'node:util';
import type {
  ChatMessage,
  ChatRequest,
  Conversation,
  ConversationChange,
  ConversationMessage,
  ConversationSummary,
  MessageVersion,
} from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { KeyedMutex } from '../../../core/keyed-mutex.ts';
import type { AttachmentStore, AttachmentText } from '../attachments/attachment-store.ts';
import { type ConversationRow, newRow } from './conversation-row.ts';
import { type ConversationStore, messageOf, type StoredMessage } from './conversation-store.ts';
import { withChange } from './conversation-change.ts';
import { noSuchVersion, stale, turnRunning, unknownMessage } from './conversation-problems.ts';
import { titleOf } from './message-text.ts';
import { type CostOf, priced } from './priced.ts';
import { branchOf, isSameMessage, withIds, orphansOf, versionsOf } from './message-versions.ts';
import { msg } from '../../../messages/index.ts';

const everything = 1_000_000_000;
const maxListed = 10_000;
/** A conversation with more messages has had its first answer. */
const maxUntitled = 8;

/**
 * The turns in progress. While a turn writes to a conversation, nothing else may change its
 * messages.
 */
export interface ActiveTurns {
  streamIdOf(conversationId: string): string | undefined;
  /** True if a turn is running, or about to start with messages that it has read. */
  isBusy(conversationId: string): boolean;
  /** Ends the turn of a conversation that is removed; resolves when it has ended. */
  cancel(conversationId: string): Promise<void>;
}

/** A message in the conversation as the client saw it. */
/** Position of the message, 0-based. */
export interface MessageTarget {
  index: number;
  revision: number;
}

/** The conversation after a message was stored, and the version data of that message. */
export interface Appended {
  row: ConversationRow;
  version: MessageVersion;
}

/** Reads and changes stored conversations. Changes to one conversation are sequential. */
export class ConversationService {
  readonly attachments: AttachmentStore;
  private readonly store: ConversationStore;
  private readonly active: ActiveTurns;
  private readonly costOf: CostOf;
  private readonly changing = new KeyedMutex();

  constructor(store: ConversationStore, active: ActiveTurns, costOf: CostOf) {
    this.store = store;
    this.attachments = store.attachments;
    this.active = active;
    this.costOf = costOf;
  }

  async list(query: {
    q?: string;
    limit?: number;
    before?: string;
    folder?: string;
    archived?: 'true' | 'false' | 'all';
    pinned?: 'true' | 'false';
  }): Promise<ConversationSummary[]> {
    const before = query.before === undefined ? null : (await this.row(query.before)).id;
    const q = query.q?.trim() ?? '';
    const limit = Math.min(query.limit ?? maxListed, maxListed);
    const { folder, archived = 'false', pinned } = query;
    const rows = await this.store.list({
      q: q === '' ? null : q,
      limit,
      before,
      folder: folder === '' ? null : folder,
      archived: archived === 'all' ? undefined : archived === 'true',
      pinned: pinned === undefined ? undefined : pinned === 'true',
    });
    return rows.map((row) => this.summary(row));
  }

  folders(): Promise<{ name: string; conversations: number }[]> {
    return this.store.folders();
  }

  async show(id: string, page: { limit?: number; before?: number } = {}): Promise<Conversation> {
    return this.viewOf(await this.row(id), page);
  }

  private async viewOf(
    row: ConversationRow,
    page: { limit?: number; before?: number },
  ): Promise<Conversation> {
    const view = this.view(row);
    const before = Math.min(page.before ?? row.messageCount, row.messageCount);
    const firstIndex = Math.max(0, before - (page.limit ?? everything));
    const messages = await this.read(row.id, firstIndex, before);
    const last = messages.at(-1);
    // Until the answer is complete, its stored outcome only applies if the host ends now.
    if (view.activeStreamId !== undefined && before === row.messageCount) delete last?.outcome;
    return { ...view, firstIndex, messages };
  }

  /** The messages in positions `from` to `to` (exclusive), with their versions. */
  private async read(id: string, from: number, to: number): Promise<ConversationMessage[]> {
    const hidden = await this.store.versions.list(id);
    const first = Math.max(0, from - 1);
    const { messages } = await this.store.messagesOf(id, { limit: to - first, before: to });
    const parent = from === 0 ? null : (messages[0]?.id ?? null);
    const own = messages.slice(from - first);
    const versions = versionsOf(own, parent, hidden);
    return versions.map((version, at) => ({
      ...priced((own[at] as StoredMessage).message, this.costOf),
      ...version,
    }));
  }

  /** All hidden versions of messages. */
  async hidden(id: string): Promise<(ChatMessage & Pick<MessageVersion, 'id' | 'parentId'>)[]> {
    const bodies = await this.store.versions.bodies(id);
    return (await this.store.versions.list(id)).flatMap(({ id: messageId, parentId }) => {
      const body = bodies.get(messageId);
      return body === undefined ? [] : [{ ...messageOf(body), id: messageId, parentId }];
    });
  }

  async create(title: string, messages: readonly ChatMessage[]): Promise<Conversation> {
    const own = title === '' ? {} : { titledBy: 'person' as const };
    const row = newRow(title === '' ? titleOf(messages) : title, messages.length, own);
    await this.store.add(row, withIds(messages, row.revision));
    return this.viewOf(row, {});
  }

  /**
   * Replaces all messages, or nothing on error.
   * @throws HostError 409 `stale_revision`, `turn_running`
   */
  replace(
    id: string,
    change: { title: string; messages: readonly ChatMessage[]; revision?: number },
  ): Promise<Conversation> {
    return this.changing.runExclusive(id, async () => {
      const row = await this.row(id);
      if (change.revision !== undefined && change.revision !== row.revision) throw stale();
      if (this.active.streamIdOf(id) !== undefined) throw turnRunning();
      const { messages } = change;
      const title = change.title === '' ? row.title : change.title;
      const titledBy = title === row.title ? row.titledBy : 'person';
      const fresh = changed({ ...row, title, titledBy, messageCount: messages.length });
      const hidden = await this.store.versions.list(id);
      const before = await this.store.idsOf(id);
      const sequences = new Map([...before, ...hidden].map((one) => [one.id, one.sequence]));
      const stored = withIds(messages, fresh.revision, sequences);
      const firsts = [before[0], ...hidden.filter(({ parentId }) => parentId === null)];
      const hasOldFirst = firsts.some((one) => one !== undefined && one.id === stored[0]?.id);
      const orphans = orphansOf(new Set(stored.map((one) => one.id)), hasOldFirst, hidden);
      await this.store.replace(fresh, stored, orphans);
      return this.viewOf(fresh, {});
    });
  }

  /**
   * Adds a message at the end, or as another version of the message at `target`. If the user sends
   * the same message again, it is not stored twice: its answers become versions of each other. A
   * conversation without a title gets one. Nothing is stored on error.
   * @throws HostError 409 `stale_revision`, 404 `unknown_message`
   */
  append(
    id: string,
    message: ChatMessage,
    {
      target,
      texts = [],
    }: { target?: MessageTarget | undefined; texts?: readonly AttachmentText[] } = {},
  ): Promise<Appended> {
    return this.changing.runExclusive(id, async () => {
      const row = await this.rowAt(id, target);
      const replaced = target === undefined ? null : await this.at(id, target.index);
      const isSame = replaced !== null && texts.length === 0 && isSameMessage(replaced, message);
      const retainedCount = (target?.index ?? row.messageCount) + (isSame ? 1 : 0);
      const title =
        row.messageCount === 0 && row.title === titleOf([]) ? titleOf([message]) : row.title;
      const added = isSame ? [] : withIds([message], row.revision + 1);
      const fresh = changed({ ...row, title, messageCount: retainedCount + added.length });
      await this.store.append(fresh, added, { cut: retainedCount < row.messageCount, texts });
      return { row: fresh, version: await this.versionAt(id, fresh.messageCount - 1) };
    });
  }

  /** The stored message at a position; null if there is none. */
  private async at(id: string, position: number): Promise<ChatMessage | null> {
    const page = { limit: 1, before: position + 1 };
    return (await this.store.messagesOf(id, page)).messages[0]?.message ?? null;
  }

  async versionAt(id: string, position: number): Promise<MessageVersion> {
    const [message] = await this.read(id, position, position + 1);
    if (message === undefined) throw unknownMessage(await this.row(id));
    const { id: messageId, parentId, siblings } = message;
    return { id: messageId, parentId, siblings };
  }

  /**
   * Makes a hidden version of a message visible, with the messages that followed it.
   * @throws HostError 404 `unknown_message`, 409 `turn_running`
   */
  select(id: string, messageId: string, page: { limit?: number }): Promise<Conversation> {
    return this.changing.runExclusive(id, async () => {
      const row = await this.row(id);
      if (this.active.isBusy(id)) throw turnRunning();
      const visible = await this.store.idsOf(id);
      if (visible.some((one) => one.id === messageId)) return this.viewOf(row, page);
      const branch = branchOf(messageId, await this.store.versions.list(id));
      if (branch === null) throw noSuchVersion();
      const position = visible.findIndex((one) => one.id === branch.parentId) + 1;
      const fresh = changed({ ...row, messageCount: position + branch.ids.length });
      await this.store.show(fresh, position, branch.ids);
      return this.viewOf(fresh, page);
    });
  }

  /** Overwrites the message at a position. */
  rewrite(id: string, position: number, message: ChatMessage): Promise<ConversationRow> {
    return this.changing.runExclusive(id, async () => {
      const fresh = changed(await this.row(id));
      await this.store.rewrite(fresh, position, message);
      return fresh;
    });
  }

  /** Only a changed title counts as a change that makes other clients outdated. */
  update(
    id: string,
    change: ConversationChange,
  ): Promise<Omit<Conversation, 'firstIndex' | 'messages'>> {
    return this.changing.runExclusive(id, async () => {
      const row = withChange(await this.row(id), change);
      const fresh = change.title === undefined ? row : changed(row);
      await this.store.update(fresh);
      return this.view(fresh);
    });
  }

  /**
   * Returns the first question and its answer if the conversation has no title of its own;
   * otherwise null.
   */
  async untitled(id: string): Promise<ChatMessage[] | null> {
    const row = await this.store.find(id);
    if (row === null || row.titledBy !== null || row.messageCount > maxUntitled) return null;
    const messages = await this.read(id, 0, row.messageCount);
    return messages.filter(({ role }) => role === 'assistant').length === 1 ? messages : null;
  }

  /**
   * Sets a title of a model, unless another title was set meanwhile. It does not make other clients
   * outdated.
   */
  titled(id: string, title: string): Promise<boolean> {
    return this.changing.runExclusive(id, async () => {
      const row = await this.store.find(id);
      if (row === null || row.titledBy !== null) return false;
      await this.store.update({ ...row, title, titledBy: 'model' });
      return true;
    });
  }

  async remove(id: string): Promise<void> {
    await this.row(id);
    await this.active.cancel(id);
    await this.changing.runExclusive(id, () => this.store.remove(id));
  }

  /**
   * Copies the conversation up to `messageIndex` (inclusive) into a new one.
   * @throws HostError 404 `unknown_message`
   */
  async fork(id: string, messageIndex: number): Promise<Conversation> {
    const row = await this.row(id);
    if (messageIndex >= row.messageCount) {
      throw unknownMessage(row);
    }
    const page = { limit: everything, before: messageIndex + 1 };
    const { messages } = await this.store.messagesOf(id, page);
    const { folder, settings, titledBy } = row;
    const more = { parentId: id, folder, settings, titledBy };
    const fork = newRow(row.title, messages.length, more);
    const ids = messages.flatMap(({ message: { attachments = [] } }) =>
      attachments.flatMap(({ refId }) => (refId === undefined ? [] : [refId])),
    );
    await this.store.add(fork, messages, { from: id, ids });
    return this.viewOf(fork, {});
  }

  private summary(row: ConversationRow): ConversationSummary {
    const { id, title, createdAt, updatedAt, messageCount, folder, pinned, archived } = row;
    const activeStreamId = this.active.streamIdOf(id);
    return {
      id,
      title,
      createdAt,
      updatedAt,
      messageCount,
      ...(folder === null ? {} : { folder }),
      pinned,
      archived,
      ...(activeStreamId === undefined ? {} : { activeStreamId }),
    };
  }

  private view(row: ConversationRow): Omit<Conversation, 'firstIndex' | 'messages'> {
    const { parentId, revision, settings } = row;
    return {
      ...this.summary(row),
      ...settings,
      ...(parentId === null ? {} : { parentId }),
      revision,
    };
  }

  /** @throws HostError 404 `unknown_conversation` */
  async row(id: string): Promise<ConversationRow> {
    const row = await this.store.find(id);
    if (row) return row;
    throw new HostError('missing', 'unknown_conversation', msg('chat.conversationUnknown'));
  }

  /**
   * The row, if it still matches what the client saw.
   * @throws HostError 409 `stale_revision`, 404 `unknown_message`
   */
  async rowAt(id: string, target?: MessageTarget): Promise<ConversationRow> {
    const row = await this.row(id);
    if (target === undefined) return row;
    if (target.revision !== row.revision) throw stale();
    if (target.index >= row.messageCount) throw unknownMessage(row);
    return row;
  }

  /**
   * The messages for the model: the first `after` stored ones, then those of the request. A message
   * of the request that equals the stored one at its position gets that one's attachments.
   * @throws HostError 409 `stale_revision` if fewer than `after` are stored
   */
  async context(
    id: string,
    { messages, after = 0 }: Pick<ChatRequest, 'messages' | 'after'>,
  ): Promise<ChatMessage[]> {
    const end = after + messages.length;
    const stored = (await this.store.messagesOf(id, { limit: end, before: end })).messages;
    if (stored.length < after) throw stale();
    const own = messages.map((message, index) => {
      const same = stored[after + index]?.message;
      const isSame =
        same !== undefined &&
        same.role === message.role &&
        isDeepStrictEqual(same.content, message.content);
      return isSame && same.attachments ? { ...message, attachments: same.attachments } : message;
    });
    return [...stored.slice(0, after).map(({ message }) => message), ...own];
  }
}

const changed = (row: ConversationRow): ConversationRow => ({
  ...row,
  revision: row.revision + 1,
  updatedAt: new Date().toISOString(),
});
