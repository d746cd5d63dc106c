import type { Options } from 'sequelize';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';

const slowMs = 50;
const maxSql = 300;

/** Writes slow queries at DEBUG and all of them at TRACE, without the values in them. */
export function logQueries(database: Database, log: Log): Database {
  const took = (sql: string, ms: number): void => {
    const line = (): string => `${Math.round(ms)} ms: ${shapeOf(sql)}`;
    if (ms > slowMs) log.debug('database', line);
    else log.trace('database', line);
  };
  const timed = async <T>(sql: string, work: Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    try {
      return await work;
    } finally {
      took(sql, performance.now() - startedMs);
    }
  };
  // The options of an instance are public in its documentation, and missing in its types.
  const { options } = database.sequelize as unknown as { options: Options };
  options.benchmark = true;
  options.logging = (executed, ms) => took(executed.replace(/^[^:]*: /, ''), ms ?? 0);
  // Elsewhere these two go through Sequelize.
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

/** Up to the first text in quotes: what follows may be somebody's data. */
function shapeOf(sql: string): string {
  const quote = sql.indexOf("'");
  const shape = (quote === -1 ? sql : `${sql.slice(0, quote)}'…'`).replaceAll(/\s+/g, ' ');
  return shape.length > maxSql ? `${shape.slice(0, maxSql)}…` : shape;
}
