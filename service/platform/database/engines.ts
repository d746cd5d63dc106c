import type { Message } from '../../messages/index.ts';
import type { Database } from './database.ts';
import type { DatabaseConfig, DatabaseType } from './database-config.ts';
import { createH2 } from './h2/h2.ts';
import type { H2Paths } from './h2/h2-runtime.ts';
import type { Trial } from './schema-columns.ts';
import { openSqlite, trySqlite } from './sqlite.ts';

/** How one type of database is used. */
export interface Engine {
  /** Null when it can be used on this machine; else why not. */
  unavailable(): Promise<Message | null>;
  /** @throws HostError `connection_failed` with a reason that a person understands */
  open(config: DatabaseConfig): Promise<Database>;
  /** Refuses what `open` would refuse, and leaves nothing behind. Throws as `open`. */
  try(config: DatabaseConfig): Promise<Trial>;
}

const alwaysThere = (): Promise<null> => Promise.resolve(null);

/** Loaded when it is needed: most installations use the embedded database. */
const server: Engine = {
  unavailable: alwaysThere,
  open: async (config) => (await import('./servers.ts')).openServer(config),
  try: async (config) => (await import('./servers.ts')).tryServer(config),
};

const sqlite: Engine = { unavailable: alwaysThere, open: openSqlite, try: trySqlite };

export type Engines = Record<DatabaseType, Engine>;

/** `places` say where H2's parts are looked for; without them H2 is looked for in the system only. */
export function createEngines(
  paths: H2Paths = { jarProperty: null, bridgeDirectory: null },
): Engines {
  return { SQLITE: sqlite, MYSQL: server, POSTGRESQL: server, H2: createH2(paths) };
}
