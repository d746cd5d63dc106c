import type { Sequelize } from 'sequelize';
import type { DatabaseConfig } from './database-config.ts';
import type { H2Folding } from './h2/h2-file.ts';

/** Values of a column, the same on every database. */
export type Value = string | number | boolean | Date | Buffer | null;
export type NewRow = Readonly<Record<string, Value>>;

/**
 * An open database. Stores define their models on `sequelize`, which belongs to this connection
 * alone.
 */
export interface Database {
  type: DatabaseConfig['type'];
  sequelize: Sequelize;
  serverVersion: string;
  /** H2: how the file folds unquoted names, which the JDBC URL must match. */
  folding?: H2Folding;
  /**
   * Inserts one row, on the hot path. The row is durable when it resolves; concurrent inserts share
   * one commit. Returns the `id` that the database assigned. Rows of one `series` have no gaps: if
   * one fails, those queued after it are refused with its error.
   */
  insert(table: string, row: NewRow, series?: object): Promise<number>;
  /**
   * Selects rows as the driver returns them (see `values.ts`), on the hot path. Placeholders are
   * `$1`, `$2`, …; names that may be SQL keywords are in double quotes.
   */
  select<T>(sql: string, values?: readonly Value[]): Promise<T[]>;
  /** Embedded types: writes a consistent copy of the live database to one file. */
  copyTo?: (file: string) => Promise<void>;
  close(): Promise<void>;
}
