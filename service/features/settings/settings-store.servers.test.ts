import { expect, it } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import { serverDatabases, sqliteDatabase } from '../../testing/database-servers/index.ts';
import { SettingsStore } from './settings-store.ts';

it.each([sqliteDatabase, ...serverDatabases])(
  'a setting is stored again with the same value, and with another one: $type',
  async ({ make }) => {
    const made = await make();
    const database = await openDatabase(made.config);
    await migrate(database);
    const settings = new SettingsStore(database);
    for (const theme of ['dark', 'dark', 'light']) {
      const hooks = [{ command: 'é"'.repeat(50_000) }];
      await settings.save({ theme, hooks });
      expect(await settings.all()).toEqual({ theme, hooks });
    }
    await database.close();
    await made.cleanUp();
  },
);
