import { DataTypes, type Model, type ModelStatic } from 'sequelize';
import type { Database } from '../../platform/database/database.ts';

export interface PluginRow {
  id: string;
  enabled: boolean;
  source: 'OFFICIAL' | 'THIRD_PARTY';
}

/** What is known of installed plugins beyond their packages, and which built-in ones were ever seeded. */
export class PluginStore {
  private readonly plugins: ModelStatic<Model>;
  private readonly seeds: ModelStatic<Model>;

  constructor(database: Database) {
    const id = { type: DataTypes.STRING(128), primaryKey: true };
    const options = { timestamps: false };
    this.plugins = database.sequelize.define(
      'plugin',
      {
        id,
        enabled: { type: DataTypes.BOOLEAN, allowNull: false },
        source: { type: DataTypes.STRING(20), allowNull: false },
        installed_at: { type: DataTypes.DATE(3), allowNull: false },
      },
      { ...options, tableName: 'plugins' },
    );
    this.seeds = database.sequelize.define(
      'seeded_plugin',
      { id, version: { type: DataTypes.STRING(256), allowNull: false } },
      { ...options, tableName: 'seeded_plugins' },
    );
  }

  async all(): Promise<PluginRow[]> {
    // SQLite gives booleans as numbers.
    const rows = (await this.plugins.findAll({ raw: true })) as unknown as (Omit<
      PluginRow,
      'enabled'
    > & {
      enabled: boolean | number;
    })[];
    return rows.map(({ id, enabled, source }) => ({
      id,
      enabled: enabled === true || enabled === 1,
      source,
    }));
  }

  /** Adds the row, or answers the one that is there. */
  async ensure({ id, enabled, source }: PluginRow): Promise<PluginRow> {
    const known = (await this.all()).find((row) => row.id === id);
    if (known) return known;
    await this.plugins.create({ id, enabled, source, installed_at: new Date() });
    return { id, enabled, source };
  }

  async setEnabled(id: string, enabled: boolean): Promise<void> {
    await this.plugins.update({ enabled }, { where: { id } });
  }

  async remove(id: string): Promise<void> {
    await this.plugins.destroy({ where: { id } });
  }

  async seeded(): Promise<Map<string, string>> {
    const rows = (await this.seeds.findAll({ raw: true })) as unknown as {
      id: string;
      version: string;
    }[];
    return new Map(rows.map(({ id, version }) => [id, version]));
  }

  async markSeeded(id: string, version: string): Promise<void> {
    // MySQL counts only rows that a change made different.
    const known = (await this.seeded()).has(id);
    if (known) await this.seeds.update({ version }, { where: { id } });
    else await this.seeds.create({ id, version });
  }
}
