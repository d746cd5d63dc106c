import { ConnectionError, type Sequelize } from 'sequelize';
import type sqlite3 from 'sqlite3';
import type { SqliteFile } from './sqlite-file.ts';

type Done = (this: sqlite3.RunResult, error: Error | null, rows?: unknown[]) => void;
type Method = 'run' | 'all';
/** The values are optional. */
type Rest = [done: Done] | [values: unknown, done: Done];
type Call = (method: Method, sql: string, values: unknown, done: Done) => void;

/** The part of a SQLite connection that Sequelize uses. */
interface Lease {
  uuid?: string;
  serialize(work: () => void): void;
  run(sql: string, ...rest: Rest): void;
  all(sql: string, ...rest: Rest): void;
  release(): void;
}

interface ConnectionManager {
  getConnection(options?: { uuid?: string }): Promise<Lease>;
  releaseConnection(lease: Lease): void;
  destroyConnection(lease: Lease): Promise<void>;
  close(): Promise<void>;
}

/**
 * Makes Sequelize use the two connections of the file. By default it opens a new connection for
 * each transaction, which lacks all settings and costs more than the transaction.
 */
export function leaseConnections(sequelize: Sequelize, file: SqliteFile): void {
  const manager = (sequelize as unknown as { connectionManager: ConnectionManager })
    .connectionManager;
  const shared = sharedLease(file);
  manager.getConnection = (options) =>
    options?.uuid === undefined ? Promise.resolve(shared) : transactionLease(file);
  manager.releaseConnection = (lease) => lease.release();
  manager.destroyConnection = (lease) => Promise.resolve(lease.release());
  manager.close = () => file.close();
}

/** A connection whose writing statements each take the lock. */
function sharedLease(file: SqliteFile): Lease {
  const write = async (...[method, sql, values, done]: Parameters<Call>): Promise<void> => {
    const release = await file.writeLock.acquire();
    file.writer[method](
      sql,
      values,
      function (this: sqlite3.RunResult, error: Error | null, rows?: unknown[]) {
        release();
        done.call(this, error, rows);
      },
    );
  };
  return leaseOf(
    (method, sql, values, done) => {
      if (/^\s*(select|pragma table_info)\b/i.test(sql)) file.reader[method](sql, values, done);
      else void write(method, sql, values, done);
    },
    () => undefined,
  );
}

/** A connection that holds the lock from BEGIN until the transaction ends. */
async function transactionLease(file: SqliteFile): Promise<Lease> {
  const release = await file.writeLock.acquire();
  if (file.isClosed) {
    release();
    throw new ConnectionError(new Error('The database is closed.'));
  }
  let isOpen = false;
  return leaseOf(
    (method, sql, values, done) => {
      file.writer[method](
        sql,
        values,
        function (this: sqlite3.RunResult, error: Error | null, rows?: unknown[]) {
          if (!error && /^begin\b/i.test(sql)) isOpen = true;
          if (!error && /^(commit|rollback)\s*;?$/i.test(sql)) isOpen = false;
          done.call(this, error, rows);
        },
      );
    },
    () => {
      if (isOpen) file.writer.exec('ROLLBACK', release);
      else release();
    },
  );
}

function leaseOf(call: Call, release: () => void): Lease {
  const take =
    (method: Method) =>
    (sql: string, ...rest: Rest): void =>
      rest.length === 1 ? call(method, sql, [], rest[0]) : call(method, sql, ...rest);
  return { serialize: (work) => work(), run: take('run'), all: take('all'), release };
}
