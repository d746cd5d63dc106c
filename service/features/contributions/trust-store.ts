import { DataTypes, Op } from 'sequelize';
import type { Database } from '../../platform/database/database.ts';
import { Table } from '../../platform/database/table.ts';

interface Stored {
  plugin_id: string;
  hash: string;
  trusted_at: Date | string;
}

/** Stores which content of which plugin the user trusts. */
export class TrustStore {
  private readonly table: Table<Stored>;
  /** The stored rows, cached because every tool call reads them. */
  private cached: Promise<ReadonlyMap<string, string>> | null = null;
  /** Plugins that were removed, but whose rows could not be deleted. */
  private readonly dropped = new Set<string>();

  constructor(database: Database) {
    this.table = new Table(database, 'plugin_trust', {
      plugin_id: { type: DataTypes.STRING(128), primaryKey: true },
      hash: { type: DataTypes.STRING(64), allowNull: false },
      trusted_at: { type: DataTypes.DATE(3), allowNull: false },
    });
  }

  /** Hash of the trusted content by plugin id. */
  all(): Promise<ReadonlyMap<string, string>> {
    if (this.cached) return this.cached;
    const reading = this.read();
    this.cached = reading;
    reading.catch(() => {
      if (this.cached === reading) this.cached = null;
    });
    return reading;
  }

  private async read(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.table.select(['plugin_id', 'hash'], { where: {} });
    return new Map(
      rows
        .filter(({ plugin_id }) => !this.dropped.has(plugin_id))
        .map(({ plugin_id, hash }) => [plugin_id, hash]),
    );
  }

  async trust(pluginId: string, hash: string): Promise<void> {
    const row = { hash, trusted_at: new Date() };
    if (this.dropped.has(pluginId)) await this.forget(pluginId);
    const exists = (await this.all()).has(pluginId);
    await this.change(() =>
      exists
        ? this.table.model.update(row, { where: { plugin_id: pluginId } })
        : this.table.model.create({ plugin_id: pluginId, ...row }),
    );
  }

  /** Deletes the rows of all other plugins. */
  async keep(pluginIds: readonly string[]): Promise<void> {
    const where = { plugin_id: { [Op.notIn]: [...pluginIds] } };
    await this.change(() => this.table.model.destroy({ where }));
  }

  async forget(pluginId: string): Promise<void> {
    await this.change(() => this.table.model.destroy({ where: { plugin_id: pluginId } }));
    this.dropped.delete(pluginId);
  }

  /**
   * Ends the trust in any case: a row that cannot be deleted is ignored, and `keep` deletes it
   * later.
   */
  async drop(pluginId: string): Promise<void> {
    this.dropped.add(pluginId);
    await this.forget(pluginId).catch(() => undefined);
  }

  /** Invalidates the cache, including a reading in progress. */
  private async change(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } finally {
      this.cached = null;
    }
  }
}
