import { DataTypes } from 'sequelize';
import type { SourceKind } from '../../../contract/index.ts';
import type { Database } from '../../../platform/database/database.ts';
import { Table } from '../../../platform/database/table.ts';
import { truthOf } from '../../../platform/database/values.ts';

/** A source as it is stored. */
export interface SourceRow {
  id: string;
  kind: SourceKind;
  /** True if the user chose the kind; otherwise each refresh detects it. */
  kindSpecified: boolean;
  url: string;
  ref: string | null;
  /** SPKI in PEM, with which every package must be signed; null if signatures are not required. */
  publicKey: string | null;
  enabled: boolean;
  addedAt: Date;
}

/** Stores the sources of the user. The built-in source has a row once it was hidden. */
export class SourceStore {
  private readonly table: Table<Stored>;

  constructor(database: Database) {
    this.table = new Table(database, 'plugin_sources', {
      id: { type: DataTypes.STRING(60), primaryKey: true },
      kind: { type: DataTypes.STRING(20), allowNull: false },
      kind_given: { type: DataTypes.BOOLEAN, allowNull: false },
      url: { type: DataTypes.TEXT, allowNull: false },
      ref: { type: DataTypes.STRING(200) },
      public_key: { type: DataTypes.TEXT },
      enabled: { type: DataTypes.BOOLEAN, allowNull: false },
      added_at: { type: DataTypes.DATE(3), allowNull: false },
    });
  }

  /** In the order they were added. */
  async all(): Promise<SourceRow[]> {
    const columns = [
      'id',
      'kind',
      'kind_given',
      'url',
      'ref',
      'public_key',
      'enabled',
      'added_at',
    ] as const;
    const rows = await this.table.select(columns, { where: {}, order: ['added_at', 'id'] });
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      url: row.url,
      ref: row.ref === '' ? null : row.ref,
      publicKey: row.public_key === '' ? null : row.public_key,
      addedAt: new Date(row.added_at),
      kindSpecified: truthOf(row.kind_given),
      enabled: truthOf(row.enabled),
    }));
  }

  async add(source: SourceRow): Promise<void> {
    const { id, kind, kindSpecified, url, ref, publicKey, enabled, addedAt } = source;
    const row = { id, kind, url, ref, enabled, public_key: publicKey };
    await this.table.model.create({ ...row, kind_given: kindSpecified, added_at: addedAt });
  }

  async change(id: string, change: Partial<Pick<SourceRow, 'enabled' | 'kind'>>): Promise<void> {
    await this.table.model.update(change, { where: { id } });
  }

  async remove(id: string): Promise<void> {
    await this.table.model.destroy({ where: { id } });
  }
}

interface Stored {
  id: string;
  kind: SourceKind;
  kind_given: boolean | number;
  url: string;
  ref: string | null;
  public_key: string | null;
  enabled: boolean | number;
  added_at: Date | string;
}
