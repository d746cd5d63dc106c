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

/** A real server on this machine, used as its administrator. */
export interface DatabaseServer extends Login {
  type: ServerType;
  host: '127.0.0.1';
  port: number;
  /** One that is always there; better make your own. */
  database: string;
  /** What signed the certificate of the server (for `localhost` and `127.0.0.1`), as a PEM file. */
  caFile: string;
  users: {
    /** May do as much as the administrator, but is let in over TLS only. */
    tlsOnly: Login;
    /** May read every database, and change none. */
    reader: Login;
    /** Has an account and no permission on any database. */
    stranger: Login;
  };
  /** How the host would connect: as the administrator to that database, unless told otherwise. */
  config(changes?: Partial<DatabaseConfig>): DatabaseConfig;
  /** An empty database; its name. */
  makeDatabase(): Promise<string>;
  /** Also when connections to it are open. */
  dropDatabase(name: string): Promise<void>;
  /** As the administrator, on a connection of its own. */
  adminQuery(sql: string, database?: string): Promise<Row[]>;
}

export const kinds: Record<ServerType, ServerKind> = { MYSQL: mariadb, POSTGRESQL: postgres };

export const caFile = join(import.meta.dirname, 'tls', 'test-only-ca.pem');

/** The server of that type on that port. */
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
