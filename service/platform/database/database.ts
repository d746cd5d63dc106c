import type { Sequelize } from 'sequelize';
import type { DatabaseConfig } from './database-config.ts';
import type { H2Folding } from './h2/h2-file.ts';

/** What a column takes and gives, whatever the database. */
export type Value = string | number | boolean | Date | Buffer | null;
export type NewRow = Readonly<Record<string, Value>>;

/** An open database. Stores define their models on `sequelize`, which belongs to this connection alone. */
export interface Database {
  type: DatabaseConfig['type'];
  sequelize: Sequelize;
  serverVersion: string;
  /** Of an H2 file: how it folds names without quotes, which its JDBC URL must say. */
  folding?: H2Folding;
  /**
   * The hot path: durable when it resolves, and what comes at the same time shares one commit.
   * Returns the number that the database gave as `id`. Rows of one `series` are stored without gaps: where
   * one cannot be, those that wait behind it are refused with its error.
   */
  insert(table: string, row: NewRow, series?: object): Promise<number>;
  /**
   * The hot path: rows as the driver gives them (see `values.ts`). Values stand as `$1`, `$2`, …;
   * names that may be words of SQL stand in double quotes.
   */
  select<T>(sql: string, values?: readonly Value[]): Promise<T[]>;
  /** Embedded types: writes a consistent copy of the live database to one file. */
  copyTo?: (file: string) => Promise<void>;
  close(): Promise<void>;
}
