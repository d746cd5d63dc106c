import { DataTypes, Op, type Transaction } from 'sequelize';
import { ChatMessage } from '../../../contract/index.ts';
import { Conditions } from '../../../platform/database/conditions.ts';
import type { Database } from '../../../platform/database/database.ts';
import { localUser } from '../../../platform/database/local-user.ts';
import { Table } from '../../../platform/database/table.ts';
import { AttachmentStore, type AttachmentText } from '../attachments/attachment-store.ts';
import {
  columnsOf,
  type ConversationRow,
  rowOf,
  type StoredRow,
  stored,
} from './conversation-row.ts';
import { searchTextOf } from './message-text.ts';
import { type VersionBody, VersionStore } from './version-store.ts';

/** A visible message. */
export interface StoredMessage {
  id: string;
  /** Increases with each version of a message. */
  sequence: number;
  message: ChatMessage;
}

type VisibleRow = VersionBody & { message_id: string; sequence: number };
type PositionedRow = VisibleRow & { conversation_id: string; position: number };

/** Changes stored in one transaction with appended messages. */
export interface Addition {
  /** True to hide the messages from that position on as another version. */
  cut?: boolean;
  texts?: readonly AttachmentText[];
}

/** Filter and page of a list of conversations. */
export interface ConversationQuery {
  /** Substring of titles and texts, case-insensitive; null for no filter. */
  q: string | null;
  limit: number;
  /** Id of the last conversation of the previous page. */
  before: string | null;
  /** Null: in no folder; undefined: in any. */
  folder?: string | null | undefined;
  /** Undefined: archived or not. */
  archived?: boolean | undefined;
  pinned?: boolean | undefined;
}

/** Stores conversations and their messages. Messages are numbered from 0 without gaps. */
export class ConversationStore {
  private readonly database: Database;
  private readonly conversations: Table<StoredRow & { user_id: number; search_title: string }>;
  private readonly messages: Table<PositionedRow>;
  readonly versions: VersionStore;
  readonly attachments: AttachmentStore;

  constructor(database: Database) {
    this.database = database;
    this.versions = new VersionStore(database);
    this.attachments = new AttachmentStore(database);
    this.conversations = new Table(database, 'conversations', {
      id: { type: DataTypes.STRING(36), primaryKey: true },
      user_id: { type: DataTypes.INTEGER, allowNull: false },
      title: { type: DataTypes.STRING(300), allowNull: false },
      search_title: { type: DataTypes.TEXT, allowNull: false },
      parent_id: { type: DataTypes.STRING(36) },
      revision: { type: DataTypes.INTEGER, allowNull: false },
      message_count: { type: DataTypes.INTEGER, allowNull: false },
      folder: { type: DataTypes.STRING(200) },
      pinned: { type: DataTypes.INTEGER },
      archived: { type: DataTypes.INTEGER },
      settings: { type: DataTypes.TEXT },
      titled_by: { type: DataTypes.STRING(10) },
      created_at: { type: DataTypes.DATE(3), allowNull: false },
      updated_at: { type: DataTypes.DATE(3), allowNull: false },
    });
    this.messages = new Table(database, 'conversation_messages', {
      conversation_id: { type: DataTypes.STRING(36), primaryKey: true },
      position: { type: DataTypes.INTEGER, primaryKey: true },
      message_id: { type: DataTypes.STRING(36) },
      sequence: { type: DataTypes.INTEGER },
      body: { type: DataTypes.TEXT, allowNull: false },
      search_text: { type: DataTypes.TEXT, allowNull: false },
    });
  }

  /** Most recently changed first. */
  async list({ q, limit, before, ...query }: ConversationQuery): Promise<ConversationRow[]> {
    const where = Conditions.equal({ user_id: localUser });
    if (q !== null) {
      const inText = `SELECT 1 FROM conversation_messages m WHERE m.conversation_id = conversations.id AND ${where.contains('m.search_text', q)}`;
      where.add(`(${where.contains('search_title', q)} OR EXISTS (${inText}))`);
    }
    const { folder, archived, pinned } = query;
    if (folder === null) where.add(`(folder IS NULL OR folder = '')`);
    else if (folder !== undefined) where.add(`folder = ${where.value(folder)}`);
    if (archived !== undefined) where.add(isSet('archived', archived));
    if (pinned !== undefined) where.add(isSet('pinned', pinned));
    if (before !== null) where.addAfter({ table: 'conversations', at: 'updated_at' }, before);
    const order = ['updated_at DESC', 'id DESC'] as const;
    return (await this.conversations.select(stored, { where, order, limit })).map(rowOf);
  }

  /** Returns the folders of conversations that are not archived, ordered by name. */
  async folders(): Promise<{ name: string; conversations: number }[]> {
    const where = Conditions.equal({ user_id: localUser });
    where.add(`folder IS NOT NULL AND folder <> ''`);
    where.add(isSet('archived', false));
    const rows = await this.database.select<{ name: string; conversations: unknown }>(
      `SELECT folder AS "name", COUNT(*) AS "conversations" FROM conversations
       WHERE ${where.text} GROUP BY folder ORDER BY folder`,
      where.values,
    );
    return rows.map(({ name, conversations }) => ({ name, conversations: Number(conversations) }));
  }

  async find(id: string): Promise<ConversationRow | null> {
    const [row] = await this.conversations.select(stored, { where: { id, user_id: localUser } });
    return row === undefined ? null : rowOf(row);
  }

  /** Titles of the stored conversations among these, by id. */
  async titles(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const where = Conditions.equal({ user_id: localUser, id: ids });
    const rows = await this.conversations.select(['id', 'title'], { where });
    return new Map(rows.map(({ id, title }) => [id, title]));
  }

  /** At most `limit` messages before position `before`, in order. */
  async messagesOf(
    id: string,
    { limit, before }: { limit: number; before: number },
  ): Promise<{ firstIndex: number; messages: StoredMessage[] }> {
    const first = Math.max(0, before - limit);
    const where = Conditions.equal({ conversation_id: id });
    where.add(`position >= ${where.value(first)}`);
    where.add(`position < ${where.value(before)}`);
    const found = await this.messages.select(['body', 'message_id', 'sequence'], {
      where,
      order: ['position'],
    });
    const messages = found.map(({ message_id, sequence, body }) => ({
      id: message_id,
      sequence,
      message: messageOf(body),
    }));
    return { firstIndex: first, messages };
  }

  /** Ids of all visible messages in order, without their contents. */
  async idsOf(id: string): Promise<Pick<StoredMessage, 'id' | 'sequence'>[]> {
    const where = { conversation_id: id };
    const found = await this.messages.select(['message_id', 'sequence'], {
      where,
      order: ['position'],
    });
    return found.map(({ message_id, sequence }) => ({ id: message_id, sequence }));
  }

  async add(
    row: ConversationRow,
    messages: readonly StoredMessage[],
    attachments?: { from: string; ids: readonly string[] },
  ): Promise<void> {
    await this.database.sequelize.transaction(async (transaction) => {
      await this.conversations.model.create(
        { ...columnsOf(row), user_id: localUser },
        { transaction },
      );
      await this.write(row.id, 0, messages.map(storedMessage), transaction);
      if (attachments) await this.attachments.copy({ ...attachments, to: row.id }, transaction);
    });
  }

  /** Replaces all messages and removes the versions in `orphans`, in one transaction. */
  async replace(
    row: ConversationRow,
    messages: readonly StoredMessage[],
    orphans: readonly string[] = [],
  ): Promise<void> {
    await this.database.sequelize.transaction(async (transaction) => {
      await this.conversations.model.update(columnsOf(row), { where: { id: row.id }, transaction });
      await this.messages.model.destroy({ where: { conversation_id: row.id }, transaction });
      await this.write(row.id, 0, messages.map(storedMessage), transaction);
      if (orphans.length > 0) await this.versions.remove(row.id, transaction, orphans);
    });
  }

  /** Appends messages in one transaction; `row` must have the new count. */
  async append(
    row: ConversationRow,
    messages: readonly StoredMessage[],
    { cut = false, texts = [] }: Addition = {},
  ): Promise<void> {
    const first = row.messageCount - messages.length;
    await this.database.sequelize.transaction(async (transaction) => {
      await this.conversations.model.update(columnsOf(row), { where: { id: row.id }, transaction });
      if (cut) await this.hide(row, first, transaction);
      await this.write(row.id, first, messages.map(storedMessage), transaction);
      await this.attachments.write(row.id, texts, transaction);
    });
  }

  /**
   * Makes the versions with these ids visible from a position on; the ones visible there before
   * become hidden versions.
   */
  async show(row: ConversationRow, position: number, ids: readonly string[]): Promise<void> {
    await this.database.sequelize.transaction(async (transaction) => {
      const taken = await this.versions.take(row.id, ids, transaction);
      await this.conversations.model.update(columnsOf(row), { where: { id: row.id }, transaction });
      await this.hide(row, position, transaction);
      const visibleRows = taken.map(({ id, ...rest }) => ({ message_id: id, ...rest }));
      await this.write(row.id, position, visibleRows, transaction);
    });
  }

  /** Turns the visible messages from a position on into hidden versions. */
  private async hide(row: ConversationRow, from: number, transaction: Transaction): Promise<void> {
    const where = Conditions.equal({ conversation_id: row.id });
    where.add(`position >= ${where.value(from)}`);
    const columns = ['message_id', 'sequence', 'body', 'search_text'] as const;
    const order = ['position'] as const;
    const found = await this.messages.select(columns, { where, order, transaction });
    const [before] = await this.messages.select(['message_id'], {
      where: { conversation_id: row.id, position: from - 1 },
      transaction,
    });
    let parentId = before?.message_id ?? null;
    const versions = found.map(({ message_id: id, sequence, body, search_text }) => {
      const version = { id, parentId, sequence, hiddenAt: row.revision, body, search_text };
      parentId = id;
      return version;
    });
    await this.messages.model.destroy({
      where: { conversation_id: row.id, position: { [Op.gte]: from } },
      transaction,
    });
    await this.versions.put(row.id, versions, transaction);
  }

  /** Overwrites one message. */
  async rewrite(row: ConversationRow, position: number, message: ChatMessage): Promise<void> {
    const { body, search_text } = bodyOf(message);
    const where = { conversation_id: row.id, position };
    await this.messages.model.update({ body, search_text }, { where });
    await this.update(row);
  }

  async update(row: ConversationRow): Promise<void> {
    await this.conversations.model.update(columnsOf(row), { where: { id: row.id } });
  }

  async remove(id: string): Promise<void> {
    await this.database.sequelize.transaction(async (transaction) => {
      await this.messages.model.destroy({ where: { conversation_id: id }, transaction });
      await this.versions.remove(id, transaction);
      await this.attachments.remove(id, transaction);
      await this.conversations.model.destroy({ where: { id }, transaction });
    });
  }

  private async write(
    id: string,
    first: number,
    messages: readonly VisibleRow[],
    transaction: Transaction,
  ): Promise<void> {
    const rows = messages.map((message, index) => ({
      conversation_id: id,
      position: first + index,
      ...message,
    }));
    await this.messages.addAll(rows, transaction);
  }
}

/** Rows of earlier releases have null here. */
const isSet = (column: 'archived' | 'pinned', wanted: boolean): string =>
  wanted ? `${column} = 1` : `(${column} IS NULL OR ${column} = 0)`;

const storedMessage = ({ id, sequence, message }: StoredMessage): VisibleRow => ({
  message_id: id,
  sequence,
  ...bodyOf(message),
});

/** The id is stored in its own column, and the cost follows the current prices. */
function bodyOf({ id: _, cost: __, ...message }: ChatMessage): VersionBody {
  return { body: JSON.stringify(message), search_text: searchTextOf(message) };
}

export const messageOf = (body: string): ChatMessage => ChatMessage.parse(JSON.parse(body));
