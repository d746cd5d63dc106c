import { msg } from '../../../messages/index.ts';
import { connectionFailed } from '../connection-failed.ts';

const suffix = '.mv.db';

/**
 * How H2 folds unquoted names. A file with tables can only be opened with the setting that it was
 * created with: its main schema is called `public` or `PUBLIC`, and H2 does not store the setting.
 */
export type H2Folding = 'lower' | 'upper';

/**
 * Names of the host are lower-case. In a file that folds to upper case they are case-sensitive, so
 * that they do not collide with those of other programs.
 */
const foldings: Record<H2Folding, string> = {
  lower: 'DATABASE_TO_LOWER=TRUE',
  upper: 'DATABASE_TO_UPPER=FALSE',
};

const common = 'DEFAULT_NULL_ORDERING=HIGH;TIME ZONE=UTC;TRACE_LEVEL_FILE=0';
const purposes = {
  /** A commit is on disk when it returns. */
  using: 'LOCK_TIMEOUT=10000;WRITE_DELAY=0',
  /** Opens the file without changing it. */
  reading: 'ACCESS_MODE_DATA=r;IFEXISTS=TRUE',
};
/**
 * Switches H2 to the mode for the `postgres` dialect once it has read the file, since other
 * programs use types that this mode refuses.
 */
const mode = 'INIT=SET MODE PostgreSQL';

export type H2Purpose = keyof typeof purposes;

/**
 * Returns the file that H2 creates for a configured path: H2 appends its suffix, and the path may
 * already contain it.
 */
export function h2FileOf(path: string): string {
  return path.endsWith(suffix) ? path : `${path}${suffix}`;
}

export function h2UrlOf(file: string, purpose: H2Purpose, folding: H2Folding): string {
  const settings = [foldings[folding], common, purposes[purpose], mode];
  return [`jdbc:h2:file:${h2PathOf(file)}`, ...settings].join(';');
}

/** Returns the path for a URL, to which H2 appends its suffix. */
export function h2PathOf(path: string): string {
  return path.endsWith(suffix) ? path.slice(0, -suffix.length) : path;
}

/** @throws HostError `connection_failed` for a path that H2 would interpret differently */
export function checkH2Path(path: string): void {
  if (/[\0\r\n]/.test(path)) throw connectionFailed(msg('h2.pathNotOneLine'));
  if (path.includes(';')) throw connectionFailed(msg('h2.pathWithSemicolon'));
  if (process.platform !== 'win32' && path.includes('\\'))
    throw connectionFailed(msg('h2.pathWithBackslash'));
}
