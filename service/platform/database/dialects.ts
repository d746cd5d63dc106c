import {
  type DataType,
  DataTypes,
  type Options,
  type QueryInterfaceCreateTableOptions,
} from 'sequelize';
import type { DatabaseConfig, DatabaseType } from './database-config.ts';

export type ServerType = Extract<DatabaseType, 'MYSQL' | 'POSTGRESQL'>;

/** Everything in which the databases behind Sequelize differ, but for how a connection is made. */
export interface Dialect {
  /** What the version is read with; the column is `version`. */
  versionSql: string;
  /** Adds to an INSERT what is needed to learn the new ids. */
  returning: string;
  /** The ids of `count` new rows, from what Sequelize answers to that INSERT. */
  idsOf: (answer: unknown, count: number) => number[];
}

/** A column for megabytes of text; plain TEXT ends at 64 KiB on MySQL. */
export const longTextOf = (type: DatabaseType): DataType =>
  type === 'MYSQL' ? DataTypes.TEXT('long') : DataTypes.TEXT;

/** MySQL casts to CHAR only; PostgreSQL would pad that with blanks. */
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
    // The server numbers the rows of one statement one after the other.
    idsOf(answer, count) {
      const firstId = answer as number;
      return Array.from({ length: count }, (_, index) => firstId + index);
    },
  },
};

/** On MySQL text is to be compared letter by letter, as the other databases do. */
const mysqlTables = { charset: 'utf8mb4', collate: 'utf8mb4_bin' };

export const tableOptionsOf = (type: DatabaseType): QueryInterfaceCreateTableOptions =>
  type === 'MYSQL' ? mysqlTables : {};

/** What Sequelize is told for a server, besides the driver. `ca` is the text of `sslCa`. */
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

/** Without a certificate to compare with, the connection is encrypted but the server could be anyone. */
function tlsOptions(ca: string | null): Record<string, unknown> {
  return ca === null
    ? { rejectUnauthorized: false }
    : { ca, rejectUnauthorized: true, verifyIdentity: true };
}
