import { DataTypes } from 'sequelize';
import type { Database } from '../../../platform/database/database.ts';
import { Conditions } from '../../../platform/database/conditions.ts';
import { localUser } from '../../../platform/database/local-user.ts';
import { isId } from '../../../platform/database/numeric-id.ts';
import { Table } from '../../../platform/database/table.ts';
import { isoOf } from '../../../platform/database/values.ts';
import { matching } from './matching.ts';

/** The maximum page size of the API. */
const pageLength = 200;

export const maxMemories = 2_000;

/** A text that a model stored for later conversations. */
export interface Memory {
  id: string;
  text: string;
  tags: string[];
  /** ISO 8601, UTC. */
  createdAt: string;
}

interface Row {
  id: number;
  text: string;
  tags: string;
  created_at: Date | string;
}

export class MemoryStore {
  private readonly database: Database;
  private readonly table: Table<Row & { user_id: number }>;

  constructor(database: Database) {
    this.database = database;
    this.table = new Table(database, 'memories', {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      user_id: { type: DataTypes.INTEGER, allowNull: false },
      text: { type: DataTypes.TEXT, allowNull: false },
      tags: { type: DataTypes.TEXT, allowNull: false },
      created_at: { type: DataTypes.DATE(3), allowNull: false },
    });
  }

  async add(text: string, tags: readonly string[], createdAt: Date): Promise<string> {
    const row = { user_id: localUser, text, tags: JSON.stringify(tags), created_at: createdAt };
    return String(await this.database.insert('memories', row));
  }

  count(): Promise<number> {
    return this.table.model.count({ where: { user_id: localUser } });
  }

  /** Returns the newest memories; with `before` only those older than that id. */
  async newest(limit: number, before?: string): Promise<Memory[]> {
    if (before !== undefined && !isId(before)) return [];
    const where = Conditions.equal({ user_id: localUser });
    if (before !== undefined) where.add(`id < ${where.value(Number(before))}`);
    const columns = ['id', 'text', 'tags', 'created_at'] as const;
    return (await this.table.select(columns, { where, order: ['id DESC'], limit })).map(memoryOf);
  }

  /** Returns the newest memories that contain all words of the query in their text or tags. */
  async find(query: string, limit: number, before?: string): Promise<Memory[]> {
    const found: Memory[] = [];
    let last = before;
    for (;;) {
      const page = await this.newest(pageLength, last);
      found.push(...matching(page, query));
      if (found.length >= limit || page.length < pageLength) return found.slice(0, limit);
      last = page.at(-1)?.id;
    }
  }

  /** Returns the number of removed memories. */
  removeAll(): Promise<number> {
    return this.table.model.destroy({ where: { user_id: localUser } });
  }

  async remove(id: string): Promise<boolean> {
    if (!isId(id)) return false;
    return (await this.table.model.destroy({ where: { user_id: localUser, id: Number(id) } })) > 0;
  }
}

function memoryOf({ id, text, tags, created_at }: Row): Memory {
  return { id: String(id), text, tags: JSON.parse(tags) as string[], createdAt: isoOf(created_at) };
}
