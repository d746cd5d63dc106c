import { stat } from 'node:fs/promises';
import { SqliteConnection } from './sqlite-file.ts';

/** Whether the file is a database that somebody may be writing to: then a plain copy may be torn. */
export async function isLiveSqlite(path: string): Promise<boolean> {
  for (const suffix of ['-wal', '-journal'])
    if ((await stat(path + suffix).catch(() => null))?.isFile()) return true;
  return false;
}

/**
 * Writes a consistent copy of a database that somebody else owns and may have open. Read only, since
 * a journal that was made up could have any file deleted when it is rolled back. Rejects where the
 * database is damaged, locked, or needs such a rollback.
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
