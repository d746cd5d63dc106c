import { stat } from 'node:fs/promises';
import { SqliteConnection } from './sqlite-file.ts';

/**
 * Returns true if another process may be writing to the database, so that a plain copy could be
 * inconsistent.
 */
export async function isLiveSqlite(path: string): Promise<boolean> {
  for (const suffix of ['-wal', '-journal'])
    if ((await stat(path + suffix).catch(() => null))?.isFile()) return true;
  return false;
}

/**
 * Writes a consistent copy of a database that another process may have open. Opens it read-only,
 * since rolling back a forged journal could delete any file. Rejects if the database is damaged,
 * locked, or needs a rollback.
 */
export async function copySqlite(path: string, target: string): Promise<void> {
  const pragmas = 'PRAGMA busy_timeout=5000; PRAGMA trusted_schema=OFF;';
  const connection = await SqliteConnection.openForeign(path, pragmas);
  try {
    await connection.rows('VACUUM INTO ?', [target]);
  } finally {
    await connection.end();
  }
}
