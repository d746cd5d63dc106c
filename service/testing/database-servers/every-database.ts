import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseConfig, DatabaseType } from '../../platform/database/database-config.ts';
import type { ServerType } from './database-server.ts';
import { runH2Shell } from '../h2-shell.ts';
import { sharedServer } from './shared-servers.ts';

/** A type of database and a factory for empty databases, for `describe.each`. */
export interface TestDatabase {
  type: DatabaseType;
  make(): Promise<MadeDatabase>;
}

/** An empty database. */
export interface MadeDatabase {
  config: DatabaseConfig;
  /** Deletes it, even if connections are open. */
  cleanUp(): Promise<void>;
}

/** Needs no other programs. */
export const sqliteDatabase: TestDatabase = {
  type: 'SQLITE',
  make: () => inFolder((folder) => ({ type: 'SQLITE', filePath: join(folder, 'host.db') })),
};

/** Needs Java and the H2 library: for tests in `*.h2.*` files. */
export const h2Database: TestDatabase = {
  type: 'H2',
  make: () =>
    inFolder((folder) => ({
      type: 'H2',
      filePath: join(folder, 'host'),
      username: 'sa',
      password: '',
    })),
};

/** A file that another program created with H2's default settings; needs Java and H2 too. */
export const foreignH2Database: TestDatabase = {
  type: 'H2',
  async make() {
    const made = await h2Database.make();
    const url = `jdbc:h2:file:${made.config.filePath ?? ''}`;
    await runH2Shell(url, 'CREATE TABLE mine (id IDENTITY, small TINYINT, large BLOB)');
    return made;
  },
};

/** Need the servers: for tests in `*.servers.*` files. */
export const serverDatabases: readonly TestDatabase[] = [onServer('MYSQL'), onServer('POSTGRESQL')];

/** For tests in `*.h2.servers.*` files, which are skipped if a dependency is missing. */
export const everyDatabase: readonly TestDatabase[] = [
  sqliteDatabase,
  h2Database,
  ...serverDatabases,
];

async function inFolder(configOf: (folder: string) => DatabaseConfig): Promise<MadeDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'test-database-'));
  return {
    config: configOf(folder),
    cleanUp: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function onServer(type: ServerType): TestDatabase {
  return {
    type,
    async make() {
      const server = await sharedServer(type);
      const database = await server.makeDatabase();
      return { config: server.config({ database }), cleanUp: () => server.dropDatabase(database) };
    },
  };
}
