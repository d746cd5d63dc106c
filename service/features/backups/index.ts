/** Snapshots of the database, and backups of the whole installation as one file. */
import type { Route } from '../../http/route.ts';
import type { Snapshots } from '../../platform/database/snapshots.ts';
import type { BackupService, BackupOptions } from './backup-service.ts';
import { backupRoutes } from './routes.ts';

export { finishRestore } from './finish-restore.ts';
export { restoreBackup } from './restore-backup.ts';

/** The backups feature; `close` cancels a running backup. */
export interface BackupsFeature {
  routes: Route[];
  close(): Promise<void>;
}

export function createBackups(options: BackupOptions & { snapshots: Snapshots }): BackupsFeature {
  let service: Promise<BackupService> | null = null;
  // Loaded on demand: packing is not needed at start.
  const load = (): Promise<BackupService> =>
    (service ??= import('./backup-service.ts').then((loaded) => new loaded.BackupService(options)));
  return {
    routes: backupRoutes(load, options.snapshots, options.database),
    close: async () => (await service)?.close(),
  };
}
