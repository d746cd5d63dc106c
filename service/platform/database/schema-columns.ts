import type { DatabaseType } from './database-config.ts';

/** Table with the names of the applied migrations. */
export const journalTable = 'SequelizeMeta';

/** A column of the existing schema. */
export interface FoundColumn {
  owner_table: string;
  owner_column: string;
}

/** The result of trying a database. */
export interface Trial {
  /** Version of the server. */
  version: string;
  /** Names of the applied migrations. */
  applied: string[];
  columns: FoundColumn[];
}

const columnsOf = (schema: string): string =>
  'SELECT TABLE_NAME AS owner_table, COLUMN_NAME AS owner_column ' +
  `FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = ${schema}`;

/** Selects every column of every table as `FoundColumn`. */
export const columnsSql: Record<DatabaseType, string> = {
  SQLITE:
    'SELECT m.name AS owner_table, p.name AS owner_column ' +
    "FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'",
  H2: columnsOf('SCHEMA()'),
  MYSQL: columnsOf('DATABASE()'),
  POSTGRESQL: columnsOf('current_schema()'),
};
