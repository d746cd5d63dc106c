import { DataTypes, type Transaction } from 'sequelize';
import type { Database } from '../../../platform/database/database.ts';
import { Table } from '../../../platform/database/table.ts';

/** A hidden message: a version that is stored but not visible. */
export interface Version {
  id: string;
  /** Id of the previous message; null for the first one. */
  parentId: string | null;
  /** Increases with each version of a message. */
  sequence: number;
  /** Revision of the conversation in which the message was hidden. */
  hiddenAt: number;
}

/** The contents of a stored message. */
export interface VersionBody {
  /** JSON of a `ChatMessage`. */
  body: string;
  search_text: string;
}

type Stored = VersionBody & {
  conversation_id: string;
  message_id: string;
  parent_id: string | null;
  sequence: number;
  left_at: number;
};

/** Stores the hidden versions of messages. */
export class VersionStore {
  private readonly table: Table<Stored>;

  constructor(database: Database) {
    this.table = new Table(database, 'conversation_versions', {
      conversation_id: { type: DataTypes.STRING(36), primaryKey: true },
      message_id: { type: DataTypes.STRING(36), primaryKey: true },
      parent_id: { type: DataTypes.STRING(36) },
      sequence: { type: DataTypes.INTEGER, allowNull: false },
      left_at: { type: DataTypes.INTEGER, allowNull: false },
      body: { type: DataTypes.TEXT, allowNull: false },
      search_text: { type: DataTypes.TEXT, allowNull: false },
    });
  }

  async list(conversationId: string): Promise<Version[]> {
    const found = await this.table.select(['message_id', 'parent_id', 'sequence', 'left_at'], {
      where: { conversation_id: conversationId },
      order: ['sequence'],
    });
    return found.map((row) => ({
      id: row.message_id,
      parentId: row.parent_id === '' ? null : row.parent_id,
      sequence: row.sequence,
      hiddenAt: row.left_at,
    }));
  }

  async bodies(conversationId: string): Promise<Map<string, string>> {
    const where = { conversation_id: conversationId };
    const found = await this.table.select(['message_id', 'body'], { where });
    return new Map(found.map(({ message_id, body }) => [message_id, body]));
  }

  async put(
    conversationId: string,
    versions: readonly (Version & VersionBody)[],
    transaction: Transaction,
  ): Promise<void> {
    const rows = versions.map(({ id, parentId, sequence, hiddenAt, body, search_text }) => ({
      conversation_id: conversationId,
      message_id: id,
      parent_id: parentId,
      sequence,
      left_at: hiddenAt,
      body,
      search_text,
    }));
    await this.table.addAll(rows, transaction);
  }

  /** Removes the versions and returns them in the order of `ids`. */
  async take(
    conversationId: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<(Pick<Version, 'id' | 'sequence'> & VersionBody)[]> {
    const where = { conversation_id: conversationId, message_id: [...ids] };
    const columns = ['message_id', 'sequence', 'body', 'search_text'] as const;
    const found = await this.table.select(columns, { where, transaction });
    const byId = new Map(found.map(({ message_id: id, ...rest }) => [id, { id, ...rest }]));
    await this.table.model.destroy({ where, transaction });
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Removes all versions if `ids` is undefined. */
  async remove(
    conversationId: string,
    transaction: Transaction,
    ids?: readonly string[],
  ): Promise<void> {
    const which = ids === undefined ? {} : { message_id: [...ids] };
    await this.table.model.destroy({
      where: { conversation_id: conversationId, ...which },
      transaction,
    });
  }
}
