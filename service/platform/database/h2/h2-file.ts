import { connectionFailed } from '../connection-failed.ts';

const suffix = '.mv.db';

/** The file that H2 makes of the path in a configuration. */
export function h2FileOf(path: string): string {
  return `${nameOf(path)}${suffix}`;
}

/** Modes that make H2 take the `postgres` dialect; a commit is on the disk when it returns. */
const using =
  'MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;TIME ZONE=UTC;LOCK_TIMEOUT=10000;WRITE_DELAY=0;TRACE_LEVEL_FILE=0';
/** Leaves the file as it is found. */
const reading = 'ACCESS_MODE_DATA=r;IFEXISTS=TRUE;TRACE_LEVEL_FILE=0';

/** @throws HostError `connection_failed` for a path that H2 would take for something else */
export function h2UrlOf(path: string, purpose: 'using' | 'reading'): string {
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
  return `jdbc:h2:file:${nameOf(path)};${purpose === 'using' ? using : reading}`;
}

/** H2 appends its suffix itself; a person may name the file that lies there. */
function nameOf(path: string): string {
  return path.endsWith(suffix) ? path.slice(0, -suffix.length) : path;
}
