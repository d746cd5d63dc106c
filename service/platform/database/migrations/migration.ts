import type { DataType, DataTypes, ModelAttributes, QueryInterface } from 'sequelize';

/** Unique columns, by the name of their index. */
export type UniqueKeys = Readonly<Record<string, string[]>>;

/** Access to the database for a migration, independent of its type. */
export interface MigrationContext {
  /** Creates a table with the options that tables of this database need. */
  createTable: (name: string, columns: ModelAttributes, unique?: UniqueKeys) => Promise<void>;
  tables: Pick<QueryInterface, 'addColumn' | 'bulkInsert' | 'bulkUpdate' | 'describeTable'>;
  /** For statements that fill new columns or tables. */
  execute: (sql: string) => Promise<unknown>;
  /** For values that are computed from existing rows. */
  rows: <T extends object>(sql: string) => Promise<T[]>;
  /** SQL for the text of a number column. */
  asText: (column: string, length: number) => string;
  types: typeof DataTypes;
  /** Column type for megabytes of text; plain TEXT ends at 64 KiB on MySQL. */
  longText: DataType;
}

/**
 * Forward only: a released migration is never changed and cannot be undone. A migration that was
 * interrupted runs again from its start, so each step must be repeatable.
 */
export interface Migration {
  name: string;
  up: (context: MigrationContext) => Promise<void>;
}
