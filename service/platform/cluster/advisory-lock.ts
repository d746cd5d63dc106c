import type { DatabaseConfig } from '../database/database-config.ts';
import { openPgSession } from '../database/pg-session.ts';

/** A number that other programs on the database are unlikely to use: "plugin-h" in ASCII. */
const lockKey = '8100110526303366248';

/**
 * Runs `work` while no other host does: migrations, seeding and sweeps. The lock belongs to a
 * separate session, so it is released when this process ends.
 */
export async function withAdvisoryLock<T>(
  config: DatabaseConfig,
  work: () => Promise<T>,
): Promise<T> {
  const session = await openPgSession(config);
  try {
    await session.query('SELECT pg_advisory_lock($1::bigint)', [lockKey]);
    return await work();
  } finally {
    await session.close();
  }
}

/** Like `withAdvisoryLock`, but resolves with null immediately if another host has the lock. */
export async function tryAdvisoryLock<T>(
  config: DatabaseConfig,
  work: () => Promise<T>,
): Promise<T | null> {
  const session = await openPgSession(config);
  try {
    const [row] = await session.query<{ acquired: boolean }>(
      'SELECT pg_try_advisory_lock($1::bigint) AS acquired',
      [lockKey],
    );
    return row?.acquired === true ? await work() : null;
  } finally {
    await session.close();
  }
}
