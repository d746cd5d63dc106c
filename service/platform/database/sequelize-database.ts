import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';
import type { Database, Value } from './database.ts';
import type { DatabaseType } from './database-config.ts';
import { type Dialect, dialects } from './dialects.ts';
import { type InsertBatch, InsertQueue } from './insert-queue.ts';

/**
 * A database that uses Sequelize's connections for the hot paths as well: all types except SQLite.
 */
export function sequelizeDatabase(
  type: Exclude<DatabaseType, 'SQLITE'>,
  sequelize: Sequelize,
  serverVersion: string,
): Database {
  const queue = new InsertQueue((batch) => insertAll(sequelize, dialects[type], batch));
  return {
    type,
    sequelize,
    serverVersion,
    insert: (table, row, series) => queue.insert(table, row, series),
    select: (sql, values = []) => selectRows(sequelize, sql, values),
    async close() {
      await queue.settled();
      await sequelize.close();
    },
  };
}

export async function versionOf(
  sequelize: Sequelize,
  type: Exclude<DatabaseType, 'SQLITE'>,
): Promise<string> {
  const rows = await selectRows<{ version: string }>(sequelize, dialects[type].versionSql, []);
  return rows[0]?.version ?? '';
}

/** Implements `Database.select` on Sequelize's connections. */
export async function selectRows<T>(
  sequelize: Sequelize,
  sql: string,
  values: readonly Value[],
  transaction?: Transaction,
): Promise<T[]> {
  const quoted = sql.replaceAll(/"(\w+)"/g, (_, name: string) => quote(sequelize, name));
  const bind = values.length === 0 ? {} : { bind: [...values] };
  const options = { type: QueryTypes.SELECT, raw: true, transaction: transaction ?? null };
  const rows = await sequelize.query(quoted, { ...options, ...bind });
  return rows as T[];
}

async function insertAll(
  sequelize: Sequelize,
  { returning, idsOf }: Dialect,
  { table, columns, rows }: InsertBatch,
): Promise<number[]> {
  const names = columns.map((column) => quote(sequelize, column)).join(', ');
  const bind = rows.flatMap((row) => columns.map((column) => row[column] as Value));
  const groups = rows.map(
    (_, row) => `(${columns.map((_, at) => placeholderOf(row, at)).join(', ')})`,
  );
  function placeholderOf(row: number, at: number): string {
    return `$${row * columns.length + at + 1}`;
  }
  const sql = `INSERT INTO ${quote(sequelize, table)} (${names}) VALUES ${groups.join(', ')}${returning}`;
  const [answer] = await sequelize.query(sql, { type: QueryTypes.RAW, bind });
  return idsOf(answer, rows.length);
}

const quote = (sequelize: Sequelize, name: string): string =>
  sequelize.getQueryInterface().quoteIdentifier(name);
