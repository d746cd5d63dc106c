import { stat } from 'node:fs/promises';
import { SqliteConnection } from './sqlite-file.ts';

/** Whether the file is a database that somebody may be writing to: then a plain copy may be torn. */
export async function isLiveSqlite(path: string): Promise<boolean> {
  for (const suffix of ['-wal', '-journal'])
    if ((await stat(path + suffix).catch(() => null))?.isFile()) return true;
  return false;
}

/** Writes a consistent copy of a database that others may have open. Rejects where it is damaged. */
export async function copySqlite(path: string, target: string): Promise<void> {
  const pragmas = 'PRAGMA busy_timeout=5000; PRAGMA query_only=ON;';
  const connection = await SqliteConnection.open(path, { create: false, pragmas });
  try {
    await connection.rows('VACUUM INTO ?', [target]);
  } finally {
    await connection.end();
  }
}
