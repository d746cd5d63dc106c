import type { DatabaseServer } from '../database-servers/index.ts';
import { SqliteConnection } from '../../platform/database/sqlite-file.ts';

/**
 * Runs SQLite's integrity check on a file.
 * @throws Error with its findings
 */
export async function checkSqlite(file: string): Promise<void> {
  const connection = await SqliteConnection.open(file, {
    create: false,
    pragmas: 'PRAGMA busy_timeout=5000; PRAGMA query_only=ON;',
  });
  try {
    const rows = await connection.rows<{ integrity_check: string }>('PRAGMA integrity_check');
    const found = rows.map((row) => row.integrity_check).join('; ');
    if (found !== 'ok') throw new Error(`The integrity check says: ${found}`);
  } finally {
    await connection.end();
  }
}

const tables = ['users', 'settings', 'plugins', 'notifications'];

/** Reads every row; MySQL also checks its tables. */
export async function checkServer(server: DatabaseServer, database: string): Promise<void> {
  for (const table of tables) {
    await server.adminQuery(`SELECT * FROM ${table}`, database);
    if (server.type !== 'MYSQL') continue;
    const rows = await server.adminQuery(`CHECK TABLE ${table} EXTENDED`, database);
    const found = rows.map((row) => row['Msg_text']).join('; ');
    if (found !== 'OK') throw new Error(`The check of ${table} says: ${found}`);
  }
}
