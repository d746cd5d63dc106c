import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseType } from '../../../platform/database/database-config.ts';
import { databaseTypes } from '../../../platform/database/database-types.ts';
import { jdbcUrlOf } from '../../../platform/database/jdbc-url.ts';
import { databaseVariables, type PluginDatabases } from './plugin-databases.ts';

/**
 * A file in the data directory of the plugin, deleted together with it. The worker creates the
 * file.
 */
export function embeddedPluginDatabases(
  type: DatabaseType,
  dataDirectory: (pluginId: string) => string,
): PluginDatabases {
  return {
    start: () => undefined,
    async variablesOf({ id, database }, inside) {
      if (!database) return {};
      const folder = join(dataDirectory(id), 'database');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { extension = '', defaultUser = '' } = databaseTypes[type];
      const jdbcUrl = jdbcUrlOf({ type, filePath: inside(join(folder, `plugin${extension}`)) });
      // The file is protected by its directory; a password would add nothing.
      return databaseVariables({ type, jdbcUrl, username: defaultUser, password: '' });
    },
    setAside: () => {
      const nothing = (): Promise<void> => Promise.resolve();
      return Promise.resolve({ putBack: nothing, delete: nothing });
    },
    close: () => Promise.resolve(),
  };
}
