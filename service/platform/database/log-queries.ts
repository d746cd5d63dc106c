import type { Options } from 'sequelize';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';

const slowMs = 50;
const maxSql = 300;

/** Logs slow queries at DEBUG and all queries at TRACE, without their values. */
export function logQueries(database: Database, log: Log): Database {
  const logDuration = (sql: string, ms: number): void => {
    const line = (): string => `${Math.round(ms)} ms: ${shapeOf(sql)}`;
    if (ms > slowMs) log.debug('database', line);
    else log.trace('database', line);
  };
  const timed = async <T>(sql: string, work: Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    try {
      return await work;
    } finally {
      logDuration(sql, performance.now() - startedMs);
    }
  };
  // The documentation describes the options of an instance, but the types lack them.
  const { options } = database.sequelize as unknown as { options: Options };
  options.benchmark = true;
  options.logging = (executed, ms) => logDuration(executed.replace(/^[^:]*: /, ''), ms ?? 0);
  // On other databases these two use Sequelize.
  if (database.type !== 'SQLITE') return database;
  const isOn = (): boolean => log.isOn('DEBUG', 'database');
  return {
    ...database,
    insert: (...row) =>
      isOn() ? timed(`INSERT INTO ${row[0]}`, database.insert(...row)) : database.insert(...row),
    select: <T>(...query: Parameters<Database['select']>) =>
      isOn() ? timed(query[0], database.select<T>(...query)) : database.select<T>(...query),
  };
}

/** Returns the statement up to the first quoted text, since the rest may contain user data. */
function shapeOf(sql: string): string {
  const quote = sql.indexOf("'");
  const shape = (quote === -1 ? sql : `${sql.slice(0, quote)}'…'`).replaceAll(/\s+/g, ' ');
  return shape.length > maxSql ? `${shape.slice(0, maxSql)}…` : shape;
}
