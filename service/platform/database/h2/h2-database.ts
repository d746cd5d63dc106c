import { type Options, Sequelize } from 'sequelize';
import { withTimeoutOrNull } from '../../../core/with-timeout.ts';
import type { Database } from '../database.ts';
import { sequelizeDatabase } from '../sequelize-database.ts';
import { copyH2 } from './copy-h2.ts';
import { h2Driver } from './h2-client.ts';
import type { H2Engine } from './h2-engine.ts';

/** How long connections that are still used may take to come back when the database is closed. */
const drainLimitMs = 5_000;

/** `release` ends what the engine's processes left behind. */
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
    // What the dialect says for this version is closest to what H2 understands.
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
  // Types by number are a matter of PostgreSQL's protocol.
  connectionManager._refreshDynamicOIDs = () => Promise.resolve();
  return sequelize;
}
