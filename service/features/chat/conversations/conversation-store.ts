import { DataTypes, type Model, type ModelStatic, Op, type Transaction } from 'sequelize';
import { ChatMessage } from '../../../contract/index.ts';
import type { Database } from '../../../platform/database/database.ts';
import { isoOf } from '../../../platform/database/values.ts';
import { searchTextOf } from './message-text.ts';

/** Everything belongs to the one local user. */
const localUser = 1;
const rowsAtOnce = 200;

export interface ConversationRow {
  id: string;
  title: string;
  parentId: string | null;
  revision: number;
  messageCount: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
}

export interface ConversationQuery {
  /** Searched for in titles and texts, whatever the case of letters. */
  q: string | null;
  limit: number;
  /** Only what comes after that one in the list. */
  before: ConversationRow | null;
}

interface Stored {
  id: string;
  title: string;
  parent_id: string | null;
  revision: number;
  message_count: number;
  created_at: Date | string;
  updated_at: Date | string;
}

/** Conversations and their messages. Messages are numbered from 0, without gaps. */
export class ConversationStore {
  private readonly database: Database;
  private readonly rows: ModelStatic<Model>;
  private readonly messages: ModelStatic<Model>;

  constructor(database: Database) {
    this.database = database;
    const options = { timestamps: false };
    this.rows = database.sequelize.define(
      'conversation',
      {
        id: { type: DataTypes.STRING(36), primaryKey: true },
        user_id: { type: DataTypes.INTEGER, allowNull: false },
        title: { type: DataTypes.STRING(300), allowNull: false },
        search_title: { type: DataTypes.TEXT, allowNull: false },
        parent_id: { type: DataTypes.STRING(36) },
        revision: { type: DataTypes.INTEGER, allowNull: false },
        message_count: { type: DataTypes.INTEGER, allowNull: false },
        created_at: { type: DataTypes.DATE(3), allowNull: false },
        updated_at: { type: DataTypes.DATE(3), allowNull: false },
      },
      { ...options, tableName: 'conversations' },
    );
    this.messages = database.sequelize.define(
      'conversation_message',
      {
        conversation_id: { type: DataTypes.STRING(36), primaryKey: true },
        position: { type: DataTypes.INTEGER, primaryKey: true },
        body: { type: DataTypes.TEXT, allowNull: false },
        search_text: { type: DataTypes.TEXT, allowNull: false },
      },
      { ...options, tableName: 'conversation_messages' },
    );
  }

  /** The one that changed last comes first. */
  async list({ q, limit, before }: ConversationQuery): Promise<ConversationRow[]> {
    const values: string[] = [];
    const value = (text: string): string => `$${values.push(text)}`;
    const conditions = [`c.user_id = ${localUser}`];
    if (q !== null) {
      const pattern = `%${q.toLowerCase().replace(/[!%_]/g, '!$&')}%`;
      const inTitle = `c.search_title LIKE ${value(pattern)} ESCAPE '!'`;
      const inText = `SELECT 1 FROM conversation_messages m WHERE m.conversation_id = c.id AND m.search_text LIKE ${value(pattern)} ESCAPE '!'`;
      conditions.push(`(${inTitle} OR EXISTS (${inText}))`);
    }
    const found = await this.database.select<Stored>(
      `SELECT c.id, c.title, c.parent_id, c.revision, c.message_count, c.created_at, c.updated_at
       FROM conversations c WHERE ${conditions.join(' AND ')}
       ORDER BY c.updated_at DESC, c.id DESC`,
      values,
    );
    const all = found.map(rowOf);
    const start = before === null ? 0 : all.findIndex(({ id }) => id === before.id) + 1;
    return all.slice(start, start + limit);
  }

  async find(id: string): Promise<ConversationRow | null> {
    const row = await this.rows.findOne({ where: { id, user_id: localUser }, raw: true });
    return row === null ? null : rowOf(row as unknown as Stored);
  }

  /** At most `limit` messages before the one at `before`, in their order. */
  async messagesOf(
    id: string,
    { limit, before }: { limit: number; before: number },
  ): Promise<{ firstIndex: number; messages: ChatMessage[] }> {
    const first = Math.max(0, before - limit);
    const found = await this.database.select<{ body: string }>(
      `SELECT body FROM conversation_messages
       WHERE conversation_id = $1 AND position >= $2 AND position < $3 ORDER BY position`,
      [id, first, before],
    );
    return { firstIndex: first, messages: found.map(({ body }) => messageOf(body)) };
  }

  async add(row: ConversationRow, messages: readonly ChatMessage[]): Promise<void> {
    await this.database.sequelize.transaction(async (transaction) => {
      await this.rows.create({ ...columnsOf(row), user_id: localUser }, { transaction });
      await this.write(row.id, 0, messages, transaction);
    });
  }

  /** All of it, or nothing. */
  async replace(row: ConversationRow, messages: readonly ChatMessage[]): Promise<void> {
    await this.database.sequelize.transaction(async (transaction) => {
      await this.rows.update(columnsOf(row), { where: { id: row.id }, transaction });
      await this.messages.destroy({ where: { conversation_id: row.id }, transaction });
      await this.write(row.id, 0, messages, transaction);
    });
  }

  /** The row tells the new count; with `cut` what stands from there on goes. All of it, or nothing. */
  async append(
    row: ConversationRow,
    messages: readonly ChatMessage[],
    { cut }: { cut: boolean } = { cut: false },
  ): Promise<void> {
    const first = row.messageCount - messages.length;
    const behind = { conversation_id: row.id, position: { [Op.gte]: first } };
    await this.database.sequelize.transaction(async (transaction) => {
      await this.rows.update(columnsOf(row), { where: { id: row.id }, transaction });
      if (cut) await this.messages.destroy({ where: behind, transaction });
      await this.write(row.id, first, messages, transaction);
    });
  }

  /** Writes one message again. */
  async rewrite(row: ConversationRow, position: number, message: ChatMessage): Promise<void> {
    const { body, search_text } = storedMessage(row.id, position, message);
    const where = { conversation_id: row.id, position };
    await this.messages.update({ body, search_text }, { where });
    await this.update(row);
  }

  async update(row: ConversationRow): Promise<void> {
    await this.rows.update(columnsOf(row), { where: { id: row.id } });
  }

  async remove(id: string): Promise<void> {
    await this.database.sequelize.transaction(async (transaction) => {
      await this.messages.destroy({ where: { conversation_id: id }, transaction });
      await this.rows.destroy({ where: { id }, transaction });
    });
  }

  private async write(
    id: string,
    first: number,
    messages: readonly ChatMessage[],
    transaction: Transaction,
  ): Promise<void> {
    for (let start = 0; start < messages.length; start += rowsAtOnce) {
      const rows = messages
        .slice(start, start + rowsAtOnce)
        .map((message, index) => storedMessage(id, first + start + index, message));
      await this.messages.bulkCreate(rows, { transaction });
    }
  }
}

function storedMessage(
  id: string,
  position: number,
  message: ChatMessage,
): { conversation_id: string; position: number; body: string; search_text: string } {
  const search_text = searchTextOf(message);
  return { conversation_id: id, position, body: JSON.stringify(message), search_text };
}

const messageOf = (body: string): ChatMessage => ChatMessage.parse(JSON.parse(body));

const columnsOf = (
  row: ConversationRow,
): Omit<Stored, 'id'> & { id: string } & {
  search_title: string;
} => ({
  id: row.id,
  title: row.title,
  search_title: row.title.toLowerCase(),
  parent_id: row.parentId,
  revision: row.revision,
  message_count: row.messageCount,
  created_at: new Date(row.createdAt),
  updated_at: new Date(row.updatedAt),
});

const rowOf = (row: Stored): ConversationRow => ({
  id: row.id,
  title: row.title,
  parentId: row.parent_id === '' ? null : row.parent_id,
  revision: row.revision,
  messageCount: row.message_count,
  createdAt: isoOf(row.created_at),
  updatedAt: isoOf(row.updated_at),
});
