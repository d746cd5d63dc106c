import { type Options, Sequelize } from 'sequelize';
import { withTimeoutOrNull } from '../../../core/with-timeout.ts';
import type { Database } from '../database.ts';
import { sequelizeDatabase } from '../sequelize-database.ts';
import { copyH2 } from './copy-h2.ts';
import { h2Driver } from './h2-client.ts';
import type { H2Engine } from './h2-engine.ts';

/** Time for connections in use to be returned when the database is closed, in ms. */
const drainLimitMs = 5_000;

/** Opens a database of the `postgres` dialect on H2. `release` cleans up the engine's processes. */
export function h2Database(
  engine: H2Engine,
  serverVersion: string,
  release: () => Promise<void>,
): Database {
  const database = sequelizeDatabase('H2', connect(engine), serverVersion);
  return {
    ...database,
    folding: engine.folding,
    copyTo: (file) => copyH2(engine, file),
    async close() {
      await withTimeoutOrNull(drainLimitMs, database.close()).catch(() => undefined);
      await engine.close();
      await release();
    },
  };
}

function connect(engine: H2Engine): Sequelize {
  const sequelize = new Sequelize({
    dialect: 'postgres',
    dialectModule: h2Driver(engine),
    logging: false,
    // The dialect's SQL for this version is closest to what H2 supports.
    databaseVersion: '9.5.0',
    standardConformingStrings: false,
    keepDefaultTimezone: true,
    dialectOptions: { clientMinMessages: 'ignore' },
    pool: { max: 3, min: 0 },
    // A lost connection is an error of this query; the next one gets a new connection.
    retry: { max: 1 },
  } as Options);
  const { connectionManager } = sequelize as unknown as {
    connectionManager: { _refreshDynamicOIDs: () => Promise<void> };
  };
  // Type ids exist only in PostgreSQL's protocol.
  connectionManager._refreshDynamicOIDs = () => Promise.resolve();
  return sequelize;
}
