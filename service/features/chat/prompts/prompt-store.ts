import { DataTypes } from 'sequelize';
import type { Prompt } from '../../../contract/index.ts';
import { Conditions } from '../../../platform/database/conditions.ts';
import type { Database } from '../../../platform/database/database.ts';
import { localUser } from '../../../platform/database/local-user.ts';
import { Table } from '../../../platform/database/table.ts';

interface Row {
  id: string;
  name: string;
  description: string;
  text: string;
  created_at: Date;
}

/** Stores the prompt library. */
export class PromptStore {
  private readonly database: Database;
  private readonly table: Table<Row & { user_id: number }>;

  constructor(database: Database) {
    this.database = database;
    this.table = new Table(database, 'chat_prompts', {
      id: { type: DataTypes.STRING(36), primaryKey: true },
      user_id: { type: DataTypes.INTEGER, allowNull: false },
      name: { type: DataTypes.STRING(100), allowNull: false },
      description: { type: DataTypes.STRING(500), allowNull: false },
      text: { type: DataTypes.TEXT, allowNull: false },
      created_at: { type: DataTypes.DATE(3), allowNull: false },
    });
  }

  async list(): Promise<Prompt[]> {
    const where = Conditions.equal({ user_id: localUser });
    const rows = await this.table.select(['id', 'name', 'description', 'text'], { where });
    return rows
      .map(({ description, ...prompt }) => ({
        ...prompt,
        ...(description === '' ? {} : { description }),
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  }

  async add({ id, name, text, description = '' }: Prompt): Promise<void> {
    const row = { id, user_id: localUser, name, text, description, created_at: new Date() };
    await this.database.insert('chat_prompts', row);
  }

  async replace({ id, name, text, description = '' }: Prompt): Promise<void> {
    const where = { user_id: localUser, id };
    await this.table.model.update({ name, text, description }, { where });
  }

  async remove(id: string): Promise<boolean> {
    return (await this.table.model.destroy({ where: { user_id: localUser, id } })) > 0;
  }
}
