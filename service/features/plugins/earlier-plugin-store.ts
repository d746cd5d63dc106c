import { QueryTypes } from 'sequelize';
import type { Database } from '../../platform/database/database.ts';
import type { PluginRow, PluginRows } from './plugin-store.ts';

/**
 * Rows that releases kept in the database, where several working directories may have written them.
 * `seeded`: whether those of this directory are among them, so that what was uninstalled here does not
 * come back.
 */
export async function earlierPluginRows(
  { sequelize }: Database,
  { seeded }: { seeded: boolean },
): Promise<PluginRows> {
  const quote = (name: string): string => sequelize.getQueryInterface().quoteIdentifier(name);
  const rowsOf = <T extends object>(table: string, columns: string[]): Promise<T[]> =>
    sequelize.query<T>(`SELECT ${columns.map(quote).join(', ')} FROM ${quote(table)}`, {
      type: QueryTypes.SELECT,
    });
  // SQLite and MySQL give booleans as numbers.
  type Row = Omit<PluginRow, 'enabled'> & { enabled: boolean | number };
  const plugins = await rowsOf<Row>('plugins', ['id', 'enabled', 'source']);
  const seeds = seeded
    ? await rowsOf<{ id: string; version: string }>('seeded_plugins', ['id', 'version'])
    : [];
  return {
    plugins: plugins.map((row) => ({ ...row, enabled: row.enabled === true || row.enabled === 1 })),
    seeded: new Map(seeds.map(({ id, version }) => [id, version])),
  };
}
