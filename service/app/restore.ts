import { HostError } from '../core/host-error.ts';
import { DataSourceFile } from '../platform/database/data-source-file.ts';
import { databaseFileOf } from '../platform/database/database-file.ts';
import { restoreSnapshot } from '../platform/database/restore-snapshot.ts';
import { Snapshots } from '../platform/database/snapshots.ts';
import type { HostPaths } from '../platform/paths.ts';
import { createSecrets } from '../platform/secrets.ts';
import { msg } from '../messages/index.ts';

export { finishRestore, restoreBackup } from '../features/backups/index.ts';

/**
 * Replaces the configured embedded database by a snapshot. The caller holds the lock of the working
 * directory, and no host runs in it.
 * @throws HostError `no_embedded_database`, or `unknown_snapshot` with the available names
 */
export async function restoreSnapshotOf(paths: HostPaths, name: string): Promise<void> {
  // The location of the database is not encrypted, so no key is needed.
  const secrets = createSecrets('');
  const location = await new DataSourceFile(
    paths.dataSource,
    secrets,
    paths.workDirectory,
  ).location();
  const file = location && databaseFileOf(location);
  if (!file) {
    throw new HostError('conflict', 'no_embedded_database', msg('start.noEmbeddedDatabase'));
  }
  await restoreSnapshot(new Snapshots(paths.snapshots), file, name);
}
