import type { DataSourceFile } from '../platform/database/data-source-file.ts';
import type { Database } from '../platform/database/database.ts';
import type { DatabaseConfig } from '../platform/database/database-config.ts';
import { databaseFileOf } from '../platform/database/database-file.ts';
import { migrate, type Migration } from '../platform/database/migrate.ts';
import type { Snapshots } from '../platform/database/snapshots.ts';
import type { Log } from '../platform/log.ts';

interface UpgradeOptions {
  log: Log;
  snapshots: Snapshots;
  /** For tests: the migrations of another release. */
  migrations?: readonly Migration[] | undefined;
}

/**
 * Brings the schema to this release, after a snapshot of an embedded database.
 * @throws HostError `snapshot_failed` or `disk_full` before anything is changed
 */
export async function upgradeDatabase(
  database: Database,
  config: DatabaseConfig,
  { log, snapshots, migrations }: UpgradeOptions,
): Promise<void> {
  const file = databaseFileOf(config);
  const beforeUpgrade = async (from: string): Promise<void> => {
    log.info('setup', `The database is upgraded from ${from}`);
    if (file) await snapshots.keepBeforeUpgrade(database, file, from);
  };
  await migrate(database, { beforeUpgrade, available: migrations });
  await snapshots.settle().catch((error: unknown) => {
    log.warn('setup', `Old snapshots cannot be removed: ${String(error)}`);
  });
}

/** Encrypts a password in the clear. A failure is only logged, since the password still works. */
export async function protectPassword(dataSource: DataSourceFile, log: Log): Promise<void> {
  await dataSource.protect().catch((error: unknown) => {
    const message = 'The configuration file cannot be written, so its password stays in the clear';
    log.error('setup', message, error);
  });
}

/** Corrects the JDBC URL. A failure is only logged, since the host can start without it. */
export async function matchUrl(
  dataSource: DataSourceFile,
  { folding }: Database,
  log: Log,
): Promise<void> {
  if (folding === undefined) return;
  await dataSource.matchFolding(folding).catch((error: unknown) => {
    log.warn('setup', `The configuration file keeps its JDBC URL: ${String(error)}`);
  });
}
