import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Sequelize, Transaction } from 'sequelize';
import sqlite3 from 'sqlite3';
import { ensureFolder } from '../ensure-folder.ts';
import { connectionFailed } from './connection-failed.ts';
import type { Database } from './database.ts';
import type { DatabaseConfig } from './database-config.ts';
import { InsertQueue } from './insert-queue.ts';
import { SqliteConnection, SqliteFile } from './sqlite-file.ts';
import { SqliteInserts } from './sqlite-inserts.ts';
import { leaseConnections } from './sqlite-leases.ts';

export async function openSqlite(config: DatabaseConfig): Promise<Database> {
  const path = config.filePath as string;
  await ensureFolder(dirname(path)).catch((error: unknown) => {
    throw connectionFailed(explain(error), error);
  });
  const file = await SqliteFile.open(path).catch((error: unknown) => {
    throw connectionFailed(explain(error), error);
  });
  try {
    return databaseOf(file, path, await versionOf(file.reader));
  } catch (error) {
    await file.close().catch(() => undefined);
    throw connectionFailed(explain(error), error);
  }
}

function databaseOf(file: SqliteFile, path: string, serverVersion: string): Database {
  const sequelize = new Sequelize({
    dialect: 'sqlite',
    dialectModule: sqlite3,
    storage: path,
    logging: false,
    transactionType: Transaction.TYPES.IMMEDIATE,
    // The busy timeout of the connection waits already.
    retry: { max: 1 },
  });
  leaseConnections(sequelize, file);
  const inserts = new SqliteInserts(file);
  const queue = new InsertQueue((batch) => inserts.write(batch));
  return {
    type: 'SQLITE',
    sequelize,
    serverVersion,
    insert: (table, row) => queue.insert(table, row),
    select: (sql, values = []) => file.reader.rows(sql.replaceAll(/\$(?=\d)/g, '?'), values),
    copyTo: (target) => copy(path, target),
    async close() {
      await queue.settled();
      await inserts.close();
      await sequelize.close();
    },
  };
}

/** By a connection of its own: one that may only read is not let write the copy either. */
async function copy(path: string, target: string): Promise<void> {
  const options = { create: false, pragmas: 'PRAGMA busy_timeout=5000;' };
  const connection = await SqliteConnection.open(path, options);
  try {
    await connection.rows('VACUUM INTO ?', [target]);
  } finally {
    await connection.end();
  }
}

/** Reads the file as well, so that one that is no database is noticed. */
async function versionOf(connection: SqliteConnection): Promise<string> {
  const [row] = await connection.rows<{ version: string }>('SELECT sqlite_version() AS version');
  await connection.rows('SELECT count(*) FROM sqlite_master');
  return row?.version ?? '';
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
  const options = { create: info === null, pragmas: '' };
  let connection: SqliteConnection | undefined;
  try {
    connection = await SqliteConnection.open(info === null ? ':memory:' : path, options);
    return await versionOf(connection);
  } catch (error) {
    throw connectionFailed(explain(error), error);
  } finally {
    await connection?.end();
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
