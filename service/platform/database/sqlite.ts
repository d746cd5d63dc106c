import { access, constants, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Sequelize, Transaction } from 'sequelize';
import sqlite3 from 'sqlite3';
import { HostError } from '../../core/host-error.ts';
import { type Message, msg } from '../../messages/index.ts';
import { ensureFolder } from '../ensure-folder.ts';
import { connectionFailed } from './connection-failed.ts';
import { explainFolder, inTrialFolder, isDatabaseThere, trialName } from './database-folder.ts';
import type { Database } from './database.ts';
import type { DatabaseConfig } from './database-config.ts';
import { InsertQueue } from './insert-queue.ts';
import { columnsSql, type FoundColumn, journalTable, type Trial } from './schema-columns.ts';
import { SqliteConnection, SqliteFile } from './sqlite-file.ts';
import { SqliteInserts, storedTime } from './sqlite-inserts.ts';
import { leaseConnections } from './sqlite-leases.ts';

export async function openSqlite(config: DatabaseConfig): Promise<Database> {
  const path = config.filePath as string;
  await ensureFolder(dirname(path)).catch((error: unknown) => {
    throw explainFolder(error);
  });
  await isDatabaseThere(path);
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
    // The connection already waits with its busy timeout.
    retry: { max: 1 },
  });
  leaseConnections(sequelize, file);
  const inserts = new SqliteInserts(file);
  const queue = new InsertQueue((batch) => inserts.write(batch));
  return {
    type: 'SQLITE',
    sequelize,
    serverVersion,
    insert: (table, row, series) => queue.insert(table, row, series),
    select: (sql, values = []) =>
      file.reader.rows(
        sql.replaceAll(/\$(?=\d)/g, '?'),
        values.map((value) => (value instanceof Date ? storedTime(value) : value)),
      ),
    copyTo: (target) => copy(path, target),
    async close() {
      await queue.settled();
      await inserts.close();
      await sequelize.close();
    },
  };
}

/** Uses a separate connection, since a read-only one cannot write the copy. */
async function copy(path: string, target: string): Promise<void> {
  const options = { create: false, pragmas: 'PRAGMA busy_timeout=5000;' };
  const connection = await SqliteConnection.open(path, options);
  try {
    await connection.rows('VACUUM INTO ?', [target]);
  } finally {
    await connection.end();
  }
}

/** Also reads the file, which detects files that are not a database. */
async function versionOf(connection: SqliteConnection): Promise<string> {
  const [row] = await connection.rows<{ version: string }>('SELECT sqlite_version() AS version');
  await connection.rows('SELECT count(*) FROM sqlite_master');
  return row?.version ?? '';
}

/**
 * Does what opening would do: creates a temporary file next to a missing one, or takes the write
 * lock of an existing one.
 */
export async function trySqlite(config: DatabaseConfig): Promise<Trial> {
  const path = config.filePath as string;
  const exists = await isDatabaseThere(path);
  try {
    return await inTrialFolder(dirname(path), () =>
      exists ? tryExisting(path) : tryNew(trialName(path)),
    );
  } catch (error) {
    if (error instanceof HostError) throw error;
    if (/^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? '')) throw explainFolder(error);
    throw connectionFailed(explain(error), error);
  }
}

async function tryNew(path: string): Promise<Trial> {
  try {
    const file = await SqliteFile.open(path);
    const version = await versionOf(file.reader).finally(() => file.close());
    return { version, applied: [], columns: [] };
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(path + suffix, { force: true });
  }
}

async function tryExisting(path: string): Promise<Trial> {
  await checkWritable(path);
  const options = { create: false, pragmas: 'PRAGMA busy_timeout=4000;' };
  const connection = await SqliteConnection.open(path, options);
  try {
    const version = await versionOf(connection);
    await connection.execute('BEGIN IMMEDIATE; ROLLBACK;');
    const columns = await connection.rows<FoundColumn>(columnsSql.SQLITE);
    const applied = columns.some(({ owner_table: table }) => table === journalTable)
      ? await connection.rows<{ name: string }>(`SELECT name FROM "${journalTable}"`)
      : [];
    return { version, applied: applied.map(({ name }) => name), columns };
  } finally {
    await connection.end();
  }
}

/** SQLite opens read-only files, and would start to write to an empty one. */
async function checkWritable(path: string): Promise<void> {
  await access(path, constants.R_OK).catch((error: unknown) => {
    throw connectionFailed(explain({ code: 'SQLITE_CANTOPEN' }), error);
  });
  await access(path, constants.W_OK).catch((error: unknown) => {
    throw connectionFailed(explain({ code: 'SQLITE_READONLY' }), error);
  });
}

function explain(error: unknown): Message {
  const code =
    (error as { original?: { code?: string } }).original?.code ?? (error as { code?: string }).code;
  const reasons: Record<string, Message> = {
    SQLITE_NOTADB: msg('sqlite.notDatabase'),
    SQLITE_CORRUPT: msg('sqlite.fileDamaged'),
    SQLITE_CANTOPEN: msg('sqlite.fileNotOpened'),
    SQLITE_READONLY: msg('sqlite.fileReadOnly'),
    SQLITE_BUSY: msg('sqlite.fileHeld'),
    SQLITE_FULL: msg('disk.full'),
  };
  return code === undefined
    ? msg('sqlite.notOpened')
    : (reasons[code] ?? msg('sqlite.notOpenedBecause', { code }));
}
