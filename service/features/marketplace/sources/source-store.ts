import { DataTypes, type Model, type ModelStatic } from 'sequelize';
import type { SourceKind } from '../../../contract/index.ts';
import type { Database } from '../../../platform/database/database.ts';
import { defineTable } from '../../../platform/database/define-table.ts';

export interface SourceRow {
  id: string;
  kind: SourceKind;
  /** Whether the user said the kind; otherwise each refresh finds it out. */
  kindGiven: boolean;
  url: string;
  ref: string | null;
  enabled: boolean;
  addedAt: Date;
}

/** What the user subscribed to. The built-in source has a row once it was switched off. */
export class SourceStore {
  private readonly rows: ModelStatic<Model>;

  constructor(database: Database) {
    this.rows = defineTable(database.sequelize, 'plugin_sources', {
      id: { type: DataTypes.STRING(60), primaryKey: true },
      kind: { type: DataTypes.STRING(20), allowNull: false },
      kind_given: { type: DataTypes.BOOLEAN, allowNull: false },
      url: { type: DataTypes.TEXT, allowNull: false },
      ref: { type: DataTypes.STRING(200) },
      enabled: { type: DataTypes.BOOLEAN, allowNull: false },
      added_at: { type: DataTypes.DATE(3), allowNull: false },
    });
  }

  /** In the order of subscribing. */
  async all(): Promise<SourceRow[]> {
    const rows = await this.rows.findAll({ order: ['added_at', 'id'] });
    return rows.map((row) => {
      const { id, kind, kind_given, url, ref, enabled, added_at } = row.get() as Stored;
      return {
        id,
        kind,
        url,
        ref: ref === '' ? null : ref,
        addedAt: added_at,
        kindGiven: Boolean(kind_given),
        enabled: Boolean(enabled),
      };
    });
  }

  async add({ id, kind, kindGiven, url, ref, enabled, addedAt }: SourceRow): Promise<void> {
    const row = { id, kind, url, ref, enabled };
    await this.rows.create({ ...row, kind_given: kindGiven, added_at: addedAt });
  }

  async change(id: string, change: Partial<Pick<SourceRow, 'enabled' | 'kind'>>): Promise<void> {
    await this.rows.update(change, { where: { id } });
  }

  async remove(id: string): Promise<void> {
    await this.rows.destroy({ where: { id } });
  }
}

interface Stored {
  id: string;
  kind: SourceKind;
  kind_given: boolean | number;
  url: string;
  ref: string | null;
  enabled: boolean | number;
  added_at: Date;
}
