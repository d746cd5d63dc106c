import { expect, it } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import { everyDatabase } from '../../testing/database-servers/index.ts';
import { testEngines } from '../../testing/test-engines.ts';
import { SettingsStore } from './settings-store.ts';

it.each(everyDatabase)(
  'a setting is stored again with the same value, and with another one: $type',
  async ({ make }) => {
    const made = await make();
    const database = await openDatabase(made.config, testEngines);
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
