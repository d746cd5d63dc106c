import { msg } from '../../../messages/index.ts';
import { connectionFailed } from '../connection-failed.ts';

const suffix = '.mv.db';

/**
 * How H2 folds a name without quotes. A file that holds tables opens only in the way in which it was
 * made, because its main schema is called `public` or `PUBLIC`, and H2 stores that setting nowhere.
 */
export type H2Folding = 'lower' | 'upper';

/**
 * Names of the host are lower-case. In a file that folds to upper case they are taken as written, so
 * that they lie beside those of other programs.
 */
const foldings: Record<H2Folding, string> = {
  lower: 'DATABASE_TO_LOWER=TRUE',
  upper: 'DATABASE_TO_UPPER=FALSE',
};

const common = 'DEFAULT_NULL_ORDERING=HIGH;TIME ZONE=UTC;TRACE_LEVEL_FILE=0';
const purposes = {
  /** A commit is on the disk when it returns. */
  using: 'LOCK_TIMEOUT=10000;WRITE_DELAY=0',
  /** Leaves the file as it is found. */
  reading: 'ACCESS_MODE_DATA=r;IFEXISTS=TRUE',
};
/** Makes H2 take the `postgres` dialect, once it has read the file: other programs use types that it refuses. */
const mode = 'INIT=SET MODE PostgreSQL';

export type H2Purpose = keyof typeof purposes;

/**
 * The file that H2 makes of the path in a configuration: it appends its suffix itself, and a person
 * may name the file that lies there.
 */
export function h2FileOf(path: string): string {
  return path.endsWith(suffix) ? path : `${path}${suffix}`;
}

export function h2UrlOf(file: string, purpose: H2Purpose, folding: H2Folding): string {
  const settings = [foldings[folding], common, purposes[purpose], mode];
  return [`jdbc:h2:file:${h2PathOf(file)}`, ...settings].join(';');
}

/** The path in a URL, to which H2 appends its suffix itself. */
export function h2PathOf(path: string): string {
  return path.endsWith(suffix) ? path.slice(0, -suffix.length) : path;
}

/** @throws HostError `connection_failed` for a path that H2 would take for something else */
export function checkH2Path(path: string): void {
  if (/[\0\r\n]/.test(path)) throw connectionFailed(msg('h2.pathNotOneLine'));
  if (path.includes(';')) throw connectionFailed(msg('h2.pathWithSemicolon'));
  if (process.platform !== 'win32' && path.includes('\\'))
    throw connectionFailed(msg('h2.pathWithBackslash'));
}
