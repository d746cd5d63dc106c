export type { DatabaseServer, ServerType } from './database-server.ts';
export {
  type MadeDatabase,
  type TestDatabase,
  everyDatabase,
  foreignH2Database,
  h2Database,
  serverDatabases,
  sqliteDatabase,
} from './every-database.ts';
export {
  type OwnServer,
  type OwnServerOptions,
  startMariadb,
  startPostgres,
} from './own-server.ts';
export type { Login } from './server-kind.ts';
export { databaseServers } from './shared-servers.ts';
