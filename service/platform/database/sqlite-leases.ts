import { ConnectionError, type Sequelize } from 'sequelize';
import type sqlite3 from 'sqlite3';
import type { SqliteFile } from './sqlite-file.ts';

type Done = (this: sqlite3.RunResult, error: Error | null, rows?: unknown[]) => void;
type Method = 'run' | 'all';
/** The values may be left out. */
type Rest = [done: Done] | [values: unknown, done: Done];

/** What Sequelize needs of a connection to SQLite. */
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
 * Makes Sequelize stand on the two connections of the file. By itself it opens a new one for each
 * transaction, which has none of the settings and costs more than the transaction.
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

/** Each statement that writes is a turn of its own. */
function sharedLease(file: SqliteFile): Lease {
  return leaseOf(
    (method, sql, values, done) => {
      if (/^\s*(select|pragma table_info)\b/i.test(sql)) {
        file.reader[method](sql, values, done);
        return;
      }
      file.turns.enter((leave) => {
        file.writer[method](
          sql,
          values,
          function (this: sqlite3.RunResult, error: Error | null, rows?: unknown[]) {
            leave();
            done.call(this, error, rows);
          },
        );
      });
    },
    () => undefined,
  );
}

/** One turn from BEGIN to the end, however it ends. */
async function transactionLease(file: SqliteFile): Promise<Lease> {
  const leave = await new Promise<() => void>((resolve) => file.turns.enter(resolve));
  if (file.isClosed) {
    leave();
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
      if (isOpen) file.writer.exec('ROLLBACK', leave);
      else leave();
    },
  );
}

function leaseOf(
  call: (method: Method, sql: string, values: unknown, done: Done) => void,
  release: () => void,
): Lease {
  const take =
    (method: Method) =>
    (sql: string, ...rest: Rest): void =>
      rest.length === 1 ? call(method, sql, [], rest[0]) : call(method, sql, ...rest);
  return { serialize: (work) => work(), run: take('run'), all: take('all'), release };
}
