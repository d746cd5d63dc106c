import { rmdir } from 'node:fs/promises';
import {
  finishRestore,
  HostError,
  type HostPaths,
  restoreBackup,
  restoreSnapshotOf,
} from '../service/app/index.ts';
import type { Restore } from './flags.ts';
import type { InstanceLock } from './instance-lock.ts';
import { UsageError } from './usage-error.ts';
import { startFailure } from './work-directory.ts';

/**
 * Restores the snapshot or backup that `--restore-snapshot` or `--restore-backup` names, before the
 * service starts and while the lock is held. Releases the lock on failure.
 * @throws UsageError with the reason
 */
export async function restoreFirst(
  restore: Restore,
  paths: HostPaths,
  lock: InstanceLock,
): Promise<void> {
  try {
    await finishRestore(paths);
    await putBack(restore, paths);
  } catch (error) {
    await lock.release();
    // Removes a folder that was created for this start; rmdir fails on one with content.
    await rmdir(paths.host).catch(() => undefined);
    throw startFailure(error, paths);
  }
}

async function putBack({ snapshot, backup }: Restore, paths: HostPaths): Promise<void> {
  try {
    if (snapshot !== undefined) await restoreSnapshotOf(paths, snapshot);
    if (backup !== undefined) await restoreBackup(paths, backup);
  } catch (error) {
    if (error instanceof HostError) throw new UsageError(error.message);
    throw error;
  }
}
