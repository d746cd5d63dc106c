import { DataTypes } from 'sequelize';
import type { Database } from '../../../platform/database/database.ts';
import type { DatabaseType } from '../../../platform/database/database-config.ts';
import { Table } from '../../../platform/database/table.ts';
import type { NamespaceNames } from '../../../platform/database/namespaces/namespace.ts';

/** The stored login of a plugin to its namespace on the database server. */
export interface PluginDatabaseRow extends NamespaceNames {
  pluginId: string;
  /** Encrypted. */
  password: string;
}

type State = 'ACTIVE' | 'DELETE_PENDING';

interface Stored {
  name: string;
  plugin_id: string;
  type: DatabaseType;
  username: string;
  password: string;
  state: State;
  created_at: Date | string;
}

/** Stores the namespaces of plugins on the server of this database. */
export class PluginDatabaseStore {
  private readonly table: Table<Stored>;
  private readonly type: DatabaseType;

  constructor(database: Database) {
    this.type = database.type;
    this.table = new Table(database, 'plugin_databases', {
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

  /** Returns the namespaces that are to be dropped. */
  pending(): Promise<PluginDatabaseRow[]> {
    return this.find({ state: 'DELETE_PENDING' });
  }

  async add({ name, pluginId, username, password }: PluginDatabaseRow): Promise<void> {
    await this.table.model.create({
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
    await this.table.model.update({ password }, { where: { name } });
  }

  async setState(name: string, state: State): Promise<void> {
    await this.table.model.update({ state }, { where: { name } });
  }

  async remove(name: string): Promise<void> {
    await this.table.model.destroy({ where: { name } });
  }

  private async find(where: { plugin_id?: string; state: State }): Promise<PluginDatabaseRow[]> {
    const found = await this.table.select(['name', 'plugin_id', 'username', 'password'], {
      where: { ...where, type: this.type },
      order: ['created_at'],
    });
    return found.map(({ plugin_id: pluginId, ...row }) => ({ ...row, pluginId }));
  }
}
