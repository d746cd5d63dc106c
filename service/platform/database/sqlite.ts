import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { QueryTypes, Sequelize } from 'sequelize';
import { connectionFailed } from './connection-failed.ts';
import type { Database } from './database.ts';
import type { DatabaseConfig } from './database-config.ts';
import { sqliteDrivers } from './sqlite-connection.ts';

export async function openSqlite(config: DatabaseConfig): Promise<Database> {
  const storage = config.filePath as string;
  await mkdir(dirname(storage), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw connectionFailed(explain(error), error);
  });
  const sequelize = connect(storage, 'using');
  try {
    const serverVersion = await versionOf(sequelize);
    return { type: 'SQLITE', sequelize, serverVersion, close: () => sequelize.close() };
  } catch (error) {
    await sequelize.close().catch(() => undefined);
    throw connectionFailed(explain(error), error);
  }
}

/** Reads the file as well, so that one that is no database is noticed. */
async function versionOf(sequelize: Sequelize): Promise<string> {
  const [row] = await sequelize.query<{ version: string }>('SELECT sqlite_version() AS version', {
    type: QueryTypes.SELECT,
  });
  await sequelize.query('SELECT count(*) FROM sqlite_master');
  return row?.version ?? '';
}

function connect(storage: string, purpose: keyof typeof sqliteDrivers): Sequelize {
  return new Sequelize({
    dialect: 'sqlite',
    dialectModule: sqliteDrivers[purpose],
    storage,
    logging: false,
    // The busy timeout of the connection waits already.
    retry: { max: 1 },
  });
}

/** A file that is not there yet is not made: then only its folder is looked at. Returns the version. */
export async function trySqlite(config: DatabaseConfig): Promise<string> {
  const path = config.filePath as string;
  const info = await stat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw connectionFailed(explain(error), error);
  });
  if (info?.isDirectory()) throw connectionFailed('The database file is a folder. Name a file.');
  if (info === null) await checkFolder(dirname(path));
  const sequelize = connect(info === null ? ':memory:' : path, 'reading');
  try {
    return await versionOf(sequelize);
  } catch (error) {
    throw connectionFailed(explain(error), error);
  } finally {
    await sequelize.close().catch(() => undefined);
  }
}

async function checkFolder(folder: string): Promise<void> {
  const info = await stat(folder).catch(() => null);
  if (info === null && dirname(folder) !== folder) return checkFolder(dirname(folder));
  if (!info?.isDirectory())
    throw connectionFailed('The folder of the database file is not a folder.');
  await access(folder, constants.W_OK | constants.X_OK).catch(() => {
    throw connectionFailed(
      'The folder of the database file cannot be written. Choose another one or change its permissions.',
    );
  });
}

function explain(error: unknown): string {
  const code =
    (error as { original?: { code?: string } }).original?.code ?? (error as { code?: string }).code;
  const reasons: Record<string, string> = {
    SQLITE_NOTADB: 'The file is not an SQLite database.',
    SQLITE_CORRUPT: 'The database file is damaged.',
    SQLITE_CANTOPEN: 'The database file cannot be opened. Check its folder and permissions.',
    SQLITE_READONLY: 'The database file is read-only. Change its permissions.',
    SQLITE_BUSY: 'Another program holds the database file. Close it and try again.',
    SQLITE_FULL: 'The disk is full. Free some space and try again.',
    EACCES: 'The folder of the database file cannot be written. Change its permissions.',
    ENOENT: 'The folder of the database file cannot be made. Choose another one.',
    EEXIST: 'The folder of the database file is not a folder.',
    ENOTDIR: 'The folder of the database file is not a folder.',
    ELOOP: 'The database file cannot be opened: it is a link in a circle.',
    EROFS: 'The folder of the database file is on a read-only disk. Choose another one.',
  };
  return (code && reasons[code]) ?? `The database cannot be opened (${code ?? 'unknown reason'}).`;
}
