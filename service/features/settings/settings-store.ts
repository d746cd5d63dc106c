import { DataTypes } from 'sequelize';
import type { Database } from '../../platform/database/database.ts';
import { Table } from '../../platform/database/table.ts';

/** Stores settings as rows of name and JSON text. */
export class SettingsStore {
  private readonly table: Table<{ name: string; value: string }>;
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
    this.table = new Table(database, 'settings', {
      name: { type: DataTypes.STRING(100), primaryKey: true },
      value: { type: DataTypes.TEXT, allowNull: false },
    });
  }

  async all(): Promise<Record<string, unknown>> {
    const rows = await this.table.select(['name', 'value'], { where: {} });
    return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]));
  }

  /** Saves all values or none. */
  async save(values: Record<string, unknown>): Promise<void> {
    const rows = Object.entries(values).map(([name, value]) => ({
      name,
      value: JSON.stringify(value),
    }));
    if (rows.length === 0) return;
    await this.database.sequelize.transaction(async (transaction) => {
      // Some databases count only rows that an update changed, so the count does not tell which
      // rows exist.
      const names = rows.map(({ name }) => name);
      const found = await this.table.select(['name'], { where: { name: names }, transaction });
      const existing = new Set(found.map(({ name }) => name));
      for (const { name, value } of rows) {
        if (existing.has(name))
          await this.table.model.update({ value }, { where: { name }, transaction });
        else await this.table.model.create({ name, value }, { transaction });
      }
    });
  }
}
