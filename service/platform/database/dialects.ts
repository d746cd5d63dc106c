import {
  type DataType,
  DataTypes,
  type Options,
  type QueryInterfaceCreateTableOptions,
} from 'sequelize';
import type { DatabaseConfig, DatabaseType } from './database-config.ts';

export type ServerType = Extract<DatabaseType, 'MYSQL' | 'POSTGRESQL'>;

/**
 * All differences between the databases used through Sequelize, except how a connection is opened.
 */
export interface Dialect {
  /** Query for the version, in a column `version`. */
  versionSql: string;
  /** Appended to an INSERT to return the new ids. */
  returning: string;
  /** Returns the ids of `count` new rows from the result of that INSERT. */
  idsOf: (answer: unknown, count: number) => number[];
}

/** Column type for megabytes of text; plain TEXT ends at 64 KiB on MySQL. */
export const longTextOf = (type: DatabaseType): DataType =>
  type === 'MYSQL' ? DataTypes.TEXT('long') : DataTypes.TEXT;

/** MySQL casts only to CHAR, which PostgreSQL would pad with blanks. */
export const castToText = (type: DatabaseType, column: string, length: number): string =>
  `CAST(${column} AS ${type === 'MYSQL' ? 'CHAR' : 'VARCHAR'}(${length}))`;

const returnedIds = (rows: unknown): number[] =>
  (rows as { id: number | string }[]).map(({ id }) => Number(id));

const postgres: Dialect = {
  versionSql: `SELECT current_setting('server_version') AS version`,
  returning: ' RETURNING "id"',
  idsOf: returnedIds,
};

export const dialects: Record<Exclude<DatabaseType, 'SQLITE'>, Dialect> = {
  H2: { ...postgres, versionSql: 'SELECT H2VERSION() AS version' },
  POSTGRESQL: postgres,
  MYSQL: {
    versionSql: 'SELECT version() AS version',
    returning: '',
    // The server assigns consecutive ids to the rows of one statement.
    idsOf(answer, count) {
      const firstId = answer as number;
      return Array.from({ length: count }, (_, index) => firstId + index);
    },
  },
};

/** Makes MySQL compare text exactly, as the other databases do. */
const mysqlTables = { charset: 'utf8mb4', collate: 'utf8mb4_bin' };

export const tableOptionsOf = (type: DatabaseType): QueryInterfaceCreateTableOptions =>
  type === 'MYSQL' ? mysqlTables : {};

/**
 * Options of Sequelize for a server, except the driver. `ca` is the content of the file `sslCa`.
 */
export function serverOptions(
  config: DatabaseConfig,
  { connectTimeoutMs, ca }: { connectTimeoutMs: number; ca: string | null },
): Options {
  const { host, port, database, username, password } = config;
  const common = { host, port, database, username, password };
  const ssl = config.ssl ? tlsOptions(ca) : undefined;
  if (config.type === 'POSTGRESQL') {
    const dialectOptions = {
      ssl,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: 'plugin-host',
      keepAlive: true,
    };
    return { ...common, dialect: 'postgres', dialectOptions };
  }
  const dialectOptions = {
    ssl,
    connectTimeout: connectTimeoutMs,
    maxPreparedStatements: 50,
    charset: 'utf8mb4',
    supportBigNumbers: true,
  };
  return { ...common, dialect: 'mysql', dialectOptions, define: mysqlTables };
}

/** Without a certificate the connection is encrypted, but the server is not verified. */
function tlsOptions(ca: string | null): Record<string, unknown> {
  return ca === null
    ? { rejectUnauthorized: false }
    : { ca, rejectUnauthorized: true, verifyIdentity: true };
}
