import { Mutex } from 'async-mutex';
import sqlite3 from 'sqlite3';

/** A commit is on disk when it returns: WAL with a sync at every commit. */
const writerPragmas =
  'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=5000; PRAGMA foreign_keys=ON;';
const readerPragmas = 'PRAGMA busy_timeout=5000; PRAGMA query_only=ON;';

/** SQLITE_OPEN_NOFOLLOW, which the library does not export. */
const noFollow = 0x01000000;

export class SqliteConnection extends sqlite3.Database {
  /**
   * Opens a connection. `pragmas` are set before the first statement. The file must exist unless
   * `create` is set.
   */
  static open(
    path: string,
    { create, pragmas }: { create: boolean; pragmas: string },
  ): Promise<SqliteConnection> {
    const mode = sqlite3.OPEN_READWRITE | (create ? sqlite3.OPEN_CREATE : 0);
    return SqliteConnection.openAs(path, mode, pragmas);
  }

  /** Opens a file of another program without changing it and without following links. */
  static openForeign(path: string, pragmas: string): Promise<SqliteConnection> {
    return SqliteConnection.openAs(path, sqlite3.OPEN_READONLY | noFollow, pragmas);
  }

  private static openAs(path: string, mode: number, pragmas: string): Promise<SqliteConnection> {
    return new Promise((resolve, reject) => {
      const connection = new SqliteConnection(path, mode, (error) => {
        if (error) return reject(error);
        connection.exec(pragmas, (failed) => {
          if (!failed) return resolve(connection);
          connection.close(() => reject(failed));
        });
      });
      // Errors of calls without a callback are emitted here; without a listener they would crash
      // the host.
      connection.on('error', () => undefined);
    });
  }

  rows<T>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    return new Promise((resolve, reject) => {
      this.all(sql, values, (error, rows) => (error ? reject(error) : resolve(rows as T[])));
    });
  }

  execute(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.exec(sql, (error) => (error ? reject(error) : resolve()));
    });
  }

  end(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.close((error) => (error ? reject(error) : resolve()));
    });
  }
}

/**
 * A file with one connection that writes and one that reads. Writers take a lock, so transactions
 * never collide, and readers never wait.
 */
export class SqliteFile {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
  readonly writeLock = new Mutex();
  isClosed = false;

  private constructor(writer: SqliteConnection, reader: SqliteConnection) {
    this.writer = writer;
    this.reader = reader;
  }

  static async open(path: string): Promise<SqliteFile> {
    const writer = await SqliteConnection.open(path, { create: true, pragmas: writerPragmas });
    try {
      const reader = await SqliteConnection.open(path, { create: false, pragmas: readerPragmas });
      return new SqliteFile(writer, reader);
    } catch (error) {
      await writer.end();
      throw error;
    }
  }

  /** Closes after the running write. The writer closes last, which removes the side files. */
  close(): Promise<void> {
    return this.writeLock.runExclusive(async () => {
      this.isClosed = true;
      await this.reader.end();
      await this.writer.end();
    });
  }
}
