import { DataTypes, type Model, type ModelStatic } from 'sequelize';
import type { Database } from '../../../platform/database/database.ts';
import { defineTable } from '../../../platform/database/define-table.ts';
import type { DatabaseType } from '../../../platform/database/database-config.ts';
import type { NamespaceNames } from '../../../platform/database/namespaces/namespace.ts';

export interface PluginDatabaseRow extends NamespaceNames {
  pluginId: string;
  /** Encrypted. */
  password: string;
}

type State = 'ACTIVE' | 'DELETE_PENDING';

/** What plugins have, or had, on the server of this database. */
export class PluginDatabaseStore {
  private readonly rows: ModelStatic<Model>;
  private readonly type: DatabaseType;

  constructor({ sequelize, type }: Database) {
    this.type = type;
    this.rows = defineTable(sequelize, 'plugin_databases', {
      name: { type: DataTypes.STRING(63), primaryKey: true },
      plugin_id: { type: DataTypes.STRING(128), allowNull: false },
      type: { type: DataTypes.STRING(20), allowNull: false },
      username: { type: DataTypes.STRING(63), allowNull: false },
      password: { type: DataTypes.TEXT, allowNull: false },
      state: { type: DataTypes.STRING(20), allowNull: false },
      created_at: { type: DataTypes.DATE(3), allowNull: false },
    });
  }

  async active(pluginId: string): Promise<PluginDatabaseRow | null> {
    const [row] = await this.find({ plugin_id: pluginId, state: 'ACTIVE' });
    return row ?? null;
  }

  /** Those that are to be dropped. */
  pending(): Promise<PluginDatabaseRow[]> {
    return this.find({ state: 'DELETE_PENDING' });
  }

  async add({ name, pluginId, username, password }: PluginDatabaseRow): Promise<void> {
    await this.rows.create({
      name,
      username,
      password,
      plugin_id: pluginId,
      type: this.type,
      state: 'ACTIVE',
      created_at: new Date(),
    });
  }

  async setPassword(name: string, password: string): Promise<void> {
    await this.rows.update({ password }, { where: { name } });
  }

  async setState(name: string, state: State): Promise<void> {
    await this.rows.update({ state }, { where: { name } });
  }

  async remove(name: string): Promise<void> {
    await this.rows.destroy({ where: { name } });
  }

  private async find(where: { plugin_id?: string; state: State }): Promise<PluginDatabaseRow[]> {
    const order: [string, string][] = [['created_at', 'ASC']];
    const found = await this.rows.findAll({
      raw: true,
      where: { ...where, type: this.type },
      order,
    });
    return (found as unknown as (PluginDatabaseRow & { plugin_id: string })[]).map((row) => ({
      name: row.name,
      username: row.username,
      password: row.password,
      pluginId: row.plugin_id,
    }));
  }
}
