import { join } from 'node:path';
import { SettingsStore } from '../features/settings/settings-store.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import type { HostPaths } from '../platform/paths.ts';

/**
 * Writes settings as another release may have stored them, into the SQLite file of a stopped host.
 */
export async function storeSettings(paths: HostPaths, values: object): Promise<void> {
  const database = await openDatabase({
    type: 'SQLITE',
    filePath: join(paths.database, 'host.db'),
  });
  await new SettingsStore(database).save({ ...values });
  await database.close();
}
