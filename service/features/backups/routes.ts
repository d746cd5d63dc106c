import { api } from '../../contract/index.ts';
import { StreamReply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Snapshots } from '../../platform/database/snapshots.ts';
import type { BackupService } from './backup-service.ts';

export function backupRoutes(
  service: () => Promise<BackupService>,
  snapshots: Snapshots,
  database: Database,
): Route[] {
  return [
    route(api.settings.snapshots, async () => {
      const all = await snapshots.list(database.type);
      return all.map(({ name, createdAt, fromVersion, sizeBytes }) => ({
        name,
        createdAt,
        fromVersion,
        sizeBytes,
      }));
    }),
    route(api.settings.backup, async () => {
      const { body, fileName } = await (await service()).make();
      return new StreamReply(body, {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${fileName}"`,
      });
    }),
  ];
}
