import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';

const diskFull = new Set([
  'SQLITE_FULL',
  '53100',
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  'ENOSPC',
  'EDQUOT',
]);

/** Codes of an unavailable database, as opposed to an invalid request. */
const away = new Set([
  'SQLITE_BUSY',
  'SQLITE_CANTOPEN',
  'SQLITE_IOERR',
  'H2_BRIDGE_GONE',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  '08000',
  '08001',
  '08003',
  '08006',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '90067',
  '90098',
  '90121',
]);

const readOnly = new Set([
  'SQLITE_READONLY',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  '25006',
  '90097',
]);

/**
 * Returns true for an error of the database: of its driver, Sequelize or a migration. Errors of
 * files and folders do not count.
 */
export function isDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, cause } = error;
  if (name === 'MigrationError' || name === 'H2Error' || 'sqlMessage' in error) return true;
  // The form of PostgreSQL errors.
  if ('severity' in error && 'routine' in error) return true;
  return isOfDatabase(error, codeOf(error)) || isDatabaseError(cause);
}

/** Converts an error of the database for the client. Null for any other error. */
export function databaseProblem(error: unknown): HostError | null {
  const { name, cause } = (error ?? {}) as Partial<Error>;
  // Errors in a migration are wrapped.
  if (name === 'MigrationError' && cause !== undefined) return databaseProblem(cause);
  const code = codeOf(error);
  if (!isOfDatabase(error, code)) return null;
  if (diskFull.has(code)) {
    return new HostError('disk-full', 'disk_full', msg('database.diskFull'), { cause: error });
  }
  if (readOnly.has(code)) {
    return new HostError('unavailable', 'database_read_only', msg('database.readOnly'), {
      cause: error,
    });
  }
  if (away.has(code) || isConnectionError(error)) {
    return new HostError('unavailable', 'database_unavailable', msg('database.unavailable'), {
      cause: error,
    });
  }
  return null;
}

/** Other programs report refused connections, too. */
function isOfDatabase(error: unknown, code: string): boolean {
  const { name = '' } = (error ?? {}) as Partial<Error>;
  return name.startsWith('Sequelize') || code.startsWith('SQLITE_') || code === 'H2_BRIDGE_GONE';
}

function codeOf(error: unknown): string {
  const { original, parent, code } = (error ?? {}) as Record<string, unknown>;
  const inner = original ?? parent;
  return inner ? codeOf(inner) : typeof code === 'string' ? code : '';
}

/** Some errors have no code. */
function isConnectionError(error: unknown): boolean {
  const { name = '', message = '' } = (error ?? {}) as Partial<Error>;
  return (
    /^Sequelize(Connection|HostNotFound|HostNotReachable|AccessDenied|InvalidConnection)/.test(
      name,
    ) ||
    /Connection terminated|went silent|connection is in closed state|not queryable/i.test(message)
  );
}
