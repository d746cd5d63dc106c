import { QueryTypes } from 'sequelize';
import { HostError } from '../../../core/host-error.ts';
import type { Database } from '../database.ts';
import type { DatabaseConfig } from '../database-config.ts';
import { explainServerError, isRefusal } from '../explain-server-error.ts';
import { msg } from '../../../messages/index.ts';

/**
 * Runs one statement and returns its rows. `right` is the required privilege, as the server names
 * it. @throws HostError without the statement, which may contain a password
 */
export type Run = (sql: string, right?: string) => Promise<Record<string, unknown>[]>;

/** Runs statements on one connection, in a transaction if the server supports it for them. */
export type Ask = <T>(work: (run: Run) => Promise<T>) => Promise<T>;

export function createAsk({ sequelize }: Database, config: DatabaseConfig): Ask {
  const explain = (error: unknown, right?: string): HostError => {
    if (error instanceof MissingRight) return lacks(config, error.right);
    if (error instanceof HostError) return error;
    if (right !== undefined && isRefusal(error)) return lacks(config, right);
    const message = explainServerError(error, config);
    return new HostError('upstream-failed', 'plugin_database_failed', message);
  };
  return async (work) => {
    try {
      return await sequelize.transaction((transaction) =>
        work(async (sql, right) => {
          try {
            const [rows] = await sequelize.query(sql, { type: QueryTypes.RAW, transaction });
            return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
          } catch (error) {
            throw explain(error, right);
          }
        }),
      );
    } catch (error) {
      throw explain(error);
    }
  };
}

/** Thrown if the server does not refuse a statement but ignores it. */
export class MissingRight extends Error {
  readonly right: string;

  constructor(right: string) {
    super(right);
    this.right = right;
  }
}

function lacks({ username = '' }: DatabaseConfig, right: string): HostError {
  return new HostError(
    'upstream-failed',
    'database_right_missing',
    msg('database.pluginRightMissing', { right, username }),
  );
}
