import { DataTypes, type Model, type ModelStatic } from 'sequelize';
import type { Database } from '../../platform/database/database.ts';
import { defineTable } from '../../platform/database/define-table.ts';

/** Rows of name and JSON text. */
export class SettingsStore {
  private readonly rows: ModelStatic<Model>;
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
    this.rows = defineTable(database.sequelize, 'settings', {
      name: { type: DataTypes.STRING(100), primaryKey: true },
      value: { type: DataTypes.TEXT, allowNull: false },
    });
  }

  async all(): Promise<Record<string, unknown>> {
    const rows = (await this.rows.findAll({ raw: true })) as unknown as {
      name: string;
      value: string;
    }[];
    return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]));
  }

  /** All of them or none. */
  async save(values: Record<string, unknown>): Promise<void> {
    const rows = Object.entries(values).map(([name, value]) => ({
      name,
      value: JSON.stringify(value),
    }));
    if (rows.length === 0) return;
    await this.database.sequelize.transaction(async (transaction) => {
      // Some databases count only rows that an update really changed, so it cannot tell what is there.
      const names = rows.map(({ name }) => name);
      const found = await this.rows.findAll({ where: { name: names }, raw: true, transaction });
      const known = new Set((found as unknown as { name: string }[]).map(({ name }) => name));
      for (const { name, value } of rows) {
        if (known.has(name)) await this.rows.update({ value }, { where: { name }, transaction });
        else await this.rows.create({ name, value }, { transaction });
      }
    });
  }
}
