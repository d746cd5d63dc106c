import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { type Options, Sequelize } from 'sequelize';
import { withTimeoutOrNull } from '../../core/with-timeout.ts';
import { msg } from '../../messages/index.ts';
import { connectionFailed } from './connection-failed.ts';
import type { Database } from './database.ts';
import type { DatabaseConfig } from './database-config.ts';
import { serverOptions, type ServerType } from './dialects.ts';
import { explainServerError } from './explain-server-error.ts';
import { appliedMigrations, columnsIn } from './migrate.ts';
import { pgDriver, socketOf } from './pg-driver.ts';
import type { Trial } from './schema-columns.ts';
import { checkRights } from './server-rights.ts';
import { sequelizeDatabase, versionOf } from './sequelize-database.ts';

const connectTimeoutMs = 5_000;
/** A server that sends nothing for this time in the middle of a statement counts as lost, in ms. */
const silenceMs = 15_000;
const disconnectLimitMs = 1_500;
/** Time after which the pool is no longer waited for, in ms. */
const closeLimitMs = 3_000;
const pool: Options['pool'] = { max: 5, min: 0, acquire: 6_000, idle: 10_000, evict: 2_000 };

export async function openServer(config: DatabaseConfig): Promise<Database> {
  const type = config.type as ServerType;
  const { sequelize, close } = await connect(config);
  try {
    const database = sequelizeDatabase(type, sequelize, await versionOf(sequelize, type));
    return { ...database, close: () => close(database.close()) };
  } catch (error) {
    await close(sequelize.close());
    throw connectionFailed(explainServerError(error, config), error);
  }
}

/** Connects, and checks that tables can be created and used. */
export async function tryServer(config: DatabaseConfig): Promise<Trial> {
  const type = config.type as ServerType;
  const { sequelize, close } = await connect(config);
  try {
    const version = await versionOf(sequelize, type);
    await checkRights(sequelize, config);
    const applied = await appliedMigrations({ sequelize });
    return { version, applied, columns: await columnsIn({ sequelize, type }) };
  } catch (error) {
    throw connectionFailed(explainServerError(error, config), error);
  } finally {
    await close(sequelize.close());
  }
}

interface Connected {
  sequelize: Sequelize;
  /** Waits for `closing` up to a limit, since an unresponsive server does not confirm it. */
  close: (closing: Promise<void>) => Promise<void>;
}

async function connect(config: DatabaseConfig): Promise<Connected> {
  const ca = config.ssl && config.sslCa ? await readCertificate(config.sslCa) : null;
  const sequelize = new Sequelize({
    ...serverOptions(config, { connectTimeoutMs, ca }),
    dialectModule: await driverOf(config.type as ServerType),
    pool,
    logging: false,
    timezone: '+00:00',
    retry: { max: 1 },
  });
  const sockets = new Set<Socket>();
  sequelize.addHook('afterConnect', (connection) => {
    const socket = socketOf(connection);
    if (socket === undefined) return;
    endSilence(socket);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    sequelize,
    async close(closing) {
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, disconnectLimitMs);
      await withTimeoutOrNull(closeLimitMs, closing).catch(() => undefined);
      clearTimeout(timer);
    },
  };
}

async function readCertificate(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw connectionFailed(msg('databaseServer.certificateUnreadable'), error);
  });
}

/** Imported on first use, since most installations use the embedded database. */
async function driverOf(type: ServerType): Promise<object> {
  return type === 'POSTGRESQL' ? pgDriver() : (await import('mysql2')).default;
}

/**
 * The pool drops idle connections earlier, so this only affects a connection that waits for a
 * response.
 */
function endSilence(socket: Socket): void {
  socket.setTimeout(silenceMs, () => socket.destroy(new Error('The database went silent.')));
}
