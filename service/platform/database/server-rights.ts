import { randomBytes } from 'node:crypto';
import { QueryTypes, type Sequelize } from 'sequelize';
import { msg } from '../../messages/index.ts';
import { connectionFailed } from './connection-failed.ts';
import type { DatabaseConfig } from './database-config.ts';
import { mayMakeTablesSql, mayUseTablesSql, readOnlySql, trialTableSql } from './rights-sql.ts';

/**
 * Refuses a user who cannot create the tables of the host, or use the existing ones. Leaves nothing
 * behind. @throws HostError `connection_failed`, or the error of the server
 */
export async function checkRights(sequelize: Sequelize, config: DatabaseConfig): Promise<void> {
  const username = config.username ?? '';
  const run = (sql: string) => sequelize.query(sql, { type: QueryTypes.RAW });
  if (config.type === 'MYSQL') return useTrialTable(run);
  const first = async (sql: string): Promise<Record<string, unknown>> => {
    const [rows] = await run(sql);
    return (rows as Record<string, unknown>[])[0] ?? {};
  };
  if ((await first(readOnlySql))['read_only'] === true)
    throw connectionFailed(msg('databaseServer.readOnly', { username }));
  if ((await first(mayMakeTablesSql))['allowed'] !== true)
    throw connectionFailed(msg('databaseServer.noTables', { username }));
  if ((await first(mayUseTablesSql))['allowed'] !== true)
    throw connectionFailed(msg('databaseServer.tablesOfOther', { username }));
}

/** Checks that the table can be dropped before it is created. */
async function useTrialTable(run: (sql: string) => Promise<unknown>): Promise<void> {
  const { use, drop } = trialTableSql(`host_trial_${randomBytes(8).toString('hex')}`);
  await run(drop);
  try {
    for (const sql of use) await run(sql);
  } finally {
    await run(drop);
  }
}
