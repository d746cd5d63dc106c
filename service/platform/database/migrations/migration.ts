import type { DataType, DataTypes, ModelAttributes, QueryInterface } from 'sequelize';

/** Columns that no two rows have alike, by the name of their index. */
export type UniqueKeys = Readonly<Record<string, string[]>>;

/** Access to the database for a migration, independent of its type. */
export interface MigrationContext {
  /** With what every table of this database needs. */
  createTable: (name: string, columns: ModelAttributes, unique?: UniqueKeys) => Promise<void>;
  tables: Pick<QueryInterface, 'addColumn' | 'bulkInsert' | 'bulkUpdate' | 'describeTable'>;
  /** For statements that fill what a migration added. */
  execute: (sql: string) => Promise<unknown>;
  /** For what has to be computed from the rows that are there. */
  rows: <T extends object>(sql: string) => Promise<T[]>;
  /** SQL for the text of a number column. */
  asText: (column: string, length: number) => string;
  types: typeof DataTypes;
  /** Holds megabytes; plain TEXT ends at 64 KiB on MySQL. */
  longText: DataType;
}

/**
 * Forward only: a released migration is never changed, and there is no way down. A host that was
 * killed in the middle of one runs it again from its start, so each step must bear that.
 */
export interface Migration {
  name: string;
  up: (context: MigrationContext) => Promise<void>;
}
