import { DataTypes } from 'sequelize';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import type { Migration, MigrationContext } from './migrations/migration.ts';
import type { FoundColumn, Trial } from './schema-columns.ts';

/**
 * @throws HostError `schema_newer` if an unknown migration was applied, and `schema_foreign` if a
 * table that a migration creates exists with other columns
 */
export async function refuseUnfit(
  found: Pick<Trial, 'applied'> & { columns: () => Promise<FoundColumn[]> | FoundColumn[] },
  available: readonly Migration[],
): Promise<void> {
  const { applied } = found;
  const names = new Set(available.map(({ name }) => name));
  if (applied.some((name) => !names.has(name))) throw schemaNewer();
  const pending = available.filter(({ name }) => !applied.includes(name));
  if (pending.length === 0) return;
  const present = Map.groupBy(await found.columns(), ({ owner_table: table }) => table);
  for (const [table, expected] of await tablesOf(pending)) {
    const columns = present.get(table)?.map(({ owner_column: column }) => column);
    if (columns && !expected.every((column) => columns.includes(column)))
      throw schemaForeign(table);
  }
}

const noTables: MigrationContext['tables'] = {
  addColumn: () => Promise.resolve(),
  bulkInsert: () => Promise.resolve({}),
  bulkUpdate: () => Promise.resolve({}),
  describeTable: () => Promise.resolve({}),
};

/**
 * Returns the columns of the tables that migrations create. An interrupted migration has created
 * them all.
 */
async function tablesOf(migrations: readonly Migration[]): Promise<Map<string, string[]>> {
  const made = new Map<string, string[]>();
  for (const { up } of migrations) {
    try {
      await up({
        createTable(name, columns) {
          made.set(name, Object.keys(columns));
          return Promise.resolve();
        },
        tables: noTables,
        execute: () => Promise.resolve(),
        rows: () => Promise.resolve([]),
        asText: (column) => column,
        types: DataTypes,
        longText: DataTypes.TEXT,
      });
    } catch {
      // A migration that fails without a database also fails with it, and then reports the reason.
    }
  }
  return made;
}

function schemaNewer(): HostError {
  return new HostError('unprocessable', 'schema_newer', msg('database.schemaNewer'));
}

function schemaForeign(table: string): HostError {
  return new HostError('unprocessable', 'schema_foreign', msg('database.schemaForeign', { table }));
}
