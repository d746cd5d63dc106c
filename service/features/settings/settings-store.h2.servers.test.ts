import { describe, expect, it } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { everyDatabase } from '../../testing/database-servers/index.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { SettingsStore } from './settings-store.ts';

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);

  it('a setting can be stored again with the same value and with another one', async () => {
    await migrate(used.current);
    const settings = new SettingsStore(used.current);
    for (const theme of ['dark', 'dark', 'light']) {
      const hooks = [{ command: 'é"'.repeat(50_000) }];
      await settings.save({ theme, hooks });
      expect(await settings.all()).toEqual({ theme, hooks });
    }
  });
});
