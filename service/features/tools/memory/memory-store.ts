import { DataTypes, type Model, type ModelStatic } from 'sequelize';
import type { Database } from '../../../platform/database/database.ts';
import { isoOf } from '../../../platform/database/values.ts';

/** Everything belongs to the one local user. */
const localUser = 1;
/** Ids are 32-bit numbers on every database. */
const maxId = 2 ** 31 - 1;

export const maxMemories = 2_000;

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
  private readonly rows: ModelStatic<Model>;

  constructor(database: Database) {
    this.database = database;
    this.rows = database.sequelize.define(
      'memory',
      {
        id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
        user_id: { type: DataTypes.INTEGER, allowNull: false },
        text: { type: DataTypes.TEXT, allowNull: false },
        tags: { type: DataTypes.TEXT, allowNull: false },
        created_at: { type: DataTypes.DATE(3), allowNull: false },
      },
      { tableName: 'memories', timestamps: false },
    );
  }

  async add(text: string, tags: readonly string[], createdAt: Date): Promise<string> {
    const row = { user_id: localUser, text, tags: JSON.stringify(tags), created_at: createdAt };
    return String(await this.database.insert('memories', row));
  }

  count(): Promise<number> {
    return this.rows.count({ where: { user_id: localUser } });
  }

  async newest(limit: number): Promise<Memory[]> {
    const where = { user_id: localUser };
    const rows = await this.rows.findAll({ where, order: [['id', 'DESC']], limit, raw: true });
    return (rows as unknown as Row[]).map(memoryOf);
  }

  /** How many there were. */
  removeAll(): Promise<number> {
    return this.rows.destroy({ where: { user_id: localUser } });
  }

  async remove(id: string): Promise<boolean> {
    if (!/^\d{1,10}$/.test(id) || Number(id) > maxId) return false;
    return (await this.rows.destroy({ where: { user_id: localUser, id: Number(id) } })) > 0;
  }
}

function memoryOf({ id, text, tags, created_at }: Row): Memory {
  return { id: String(id), text, tags: JSON.parse(tags) as string[], createdAt: isoOf(created_at) };
}
