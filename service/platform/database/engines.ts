import type { Message } from '../../messages/index.ts';
import type { Database } from './database.ts';
import type { DatabaseConfig, DatabaseType } from './database-config.ts';
import { createH2 } from './h2/h2.ts';
import type { H2Paths } from './h2/h2-runtime.ts';
import type { Trial } from './schema-columns.ts';
import { openSqlite, trySqlite } from './sqlite.ts';

/** Access to one type of database. */
export interface Engine {
  /** Reason why it cannot be used on this machine; null if it can. */
  unavailable(): Promise<Message | null>;
  /** @throws HostError `connection_failed` with the reason */
  open(config: DatabaseConfig): Promise<Database>;
  /** Tests a configuration without leaving anything behind; throws like `open`. */
  try(config: DatabaseConfig): Promise<Trial>;
}

const alwaysAvailable = (): Promise<null> => Promise.resolve(null);

/** Imported on demand, since most installations use the embedded database. */
const server: Engine = {
  unavailable: alwaysAvailable,
  open: async (config) => (await import('./servers.ts')).openServer(config),
  try: async (config) => (await import('./servers.ts')).tryServer(config),
};

const sqlite: Engine = { unavailable: alwaysAvailable, open: openSqlite, try: trySqlite };

export type Engines = Record<DatabaseType, Engine>;

/**
 * Creates the engines. `places` has the paths of the parts of H2; without them, only the system is
 * searched for H2.
 */
export function createEngines(
  paths: H2Paths = { jarProperty: null, bridgeDirectory: null },
): Engines {
  return { SQLITE: sqlite, MYSQL: server, POSTGRESQL: server, H2: createH2(paths) };
}
