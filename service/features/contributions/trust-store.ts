import { DataTypes, type Model, type ModelStatic, Op } from 'sequelize';
import type { Database } from '../../platform/database/database.ts';

/** Which content of which plugin the user trusts. */
export class TrustStore {
  private readonly rows: ModelStatic<Model>;

  constructor(database: Database) {
    this.rows = database.sequelize.define(
      'plugin_trust_row',
      {
        plugin_id: { type: DataTypes.STRING(128), primaryKey: true },
        hash: { type: DataTypes.STRING(64), allowNull: false },
        trusted_at: { type: DataTypes.DATE(3), allowNull: false },
      },
      { tableName: 'plugin_trust', timestamps: false },
    );
  }

  /** Hash of the trusted content by plugin id. */
  async all(): Promise<Map<string, string>> {
    const rows = (await this.rows.findAll({ raw: true })) as unknown as {
      plugin_id: string;
      hash: string;
    }[];
    return new Map(rows.map(({ plugin_id, hash }) => [plugin_id, hash]));
  }

  async trust(pluginId: string, hash: string): Promise<void> {
    const row = { hash, trusted_at: new Date() };
    const known = (await this.all()).has(pluginId);
    if (known) await this.rows.update(row, { where: { plugin_id: pluginId } });
    else await this.rows.create({ plugin_id: pluginId, ...row });
  }

  /** Forgets the plugins that are not among these. */
  async keep(pluginIds: readonly string[]): Promise<void> {
    await this.rows.destroy({ where: { plugin_id: { [Op.notIn]: [...pluginIds] } } });
  }

  async forget(pluginId: string): Promise<void> {
    await this.rows.destroy({ where: { plugin_id: pluginId } });
  }
}
