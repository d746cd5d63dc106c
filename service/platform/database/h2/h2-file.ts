import { connectionFailed } from '../connection-failed.ts';

const suffix = '.mv.db';

/** Makes H2 take the `postgres` dialect. A file can only be read in the words it was written in. */
const dialect =
  'MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;TIME ZONE=UTC;TRACE_LEVEL_FILE=0';
const settings = {
  /** A commit is on the disk when it returns. */
  using: `${dialect};LOCK_TIMEOUT=10000;WRITE_DELAY=0`,
  /** Leaves the file as it is found. */
  reading: `${dialect};ACCESS_MODE_DATA=r;IFEXISTS=TRUE`,
};

export type H2Purpose = keyof typeof settings;

/**
 * The file that H2 makes of the path in a configuration: it appends its suffix itself, and a person
 * may name the file that lies there.
 */
export function h2FileOf(path: string): string {
  return path.endsWith(suffix) ? path : `${path}${suffix}`;
}

export function h2UrlOf(file: string, purpose: H2Purpose): string {
  return `jdbc:h2:file:${file.slice(0, -suffix.length)};${settings[purpose]}`;
}

/** @throws HostError `connection_failed` for a path that H2 would take for something else */
export function checkH2Path(path: string): void {
  if (/[\0\r\n]/.test(path))
    throw connectionFailed('The path of an H2 database must be one line. Choose another one.');
  if (path.includes(';'))
    throw connectionFailed(
      'The path of an H2 database must not hold a semicolon. Choose another one.',
    );
  if (process.platform !== 'win32' && path.includes('\\'))
    throw connectionFailed(
      'The path of an H2 database must not hold a backslash. Choose another one.',
    );
}
