import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseConfig } from '../../platform/database/database-config.ts';
import { mariadb } from './mariadb.ts';
import { postgres } from './postgres.ts';
import {
  type Login,
  type Row,
  type ServerKind,
  admin,
  firstDatabase,
  reader,
  stranger,
  tlsOnly,
} from './server-kind.ts';

export type ServerType = ServerKind['type'];

/** A real server on this machine, with its administrator login. */
export interface DatabaseServer extends Login {
  type: ServerType;
  host: '127.0.0.1';
  port: number;
  /** A database that always exists; tests should create their own. */
  database: string;
  /** PEM file of the certificate authority of the server (for `localhost` and `127.0.0.1`). */
  caFile: string;
  users: {
    /** Has all permissions, but can log in over TLS only. */
    tlsOnly: Login;
    /** Can read every database and change none. */
    reader: Login;
    /** Has an account without permissions on any database. */
    stranger: Login;
  };
  /** Returns the host's configuration: as administrator to that database, unless changed. */
  config(changes?: Partial<DatabaseConfig>): DatabaseConfig;
  /** Creates an empty database and returns its name. */
  makeDatabase(): Promise<string>;
  /** Drops a database even if it has open connections. */
  dropDatabase(name: string): Promise<void>;
  /** Runs SQL as administrator on a new connection. */
  adminQuery(sql: string, database?: string): Promise<Row[]>;
}

export const kinds: Record<ServerType, ServerKind> = { MYSQL: mariadb, POSTGRESQL: postgres };

export const caFile = join(import.meta.dirname, 'tls', 'test-only-ca.pem');

/** Returns the server of this type on this port. */
export function databaseServer(type: ServerType, port: number): DatabaseServer {
  const kind = kinds[type];
  const adminQuery = (sql: string, database = firstDatabase): Promise<Row[]> =>
    kind.query({ ...admin, port, database }, sql);
  return {
    ...admin,
    type,
    host: '127.0.0.1',
    port,
    database: firstDatabase,
    caFile,
    users: { tlsOnly, reader, stranger },
    config: (changes) => ({
      type,
      host: '127.0.0.1',
      port,
      database: firstDatabase,
      ...admin,
      ssl: false,
      ...changes,
    }),
    async makeDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await kind.makeDatabase(name, adminQuery);
      return name;
    },
    async dropDatabase(name) {
      await kind.dropDatabase(name, adminQuery);
    },
    adminQuery,
  };
}
