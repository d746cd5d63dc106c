import { expect, it } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import { everyDatabase } from '../../testing/database-servers/index.ts';
import { testEngines } from '../../testing/test-engines.ts';
import { PluginDatabaseStore } from './databases/plugin-database-store.ts';
import { type PluginRow, PluginStore } from './plugin-store.ts';

it.each(everyDatabase)(
  'the rows of plugins and of their databases come back as they were stored: $type',
  async ({ make, type }) => {
    const made = await make();
    const database = await openDatabase(made.config, testEngines);
    try {
      await migrate(database);
      const plugins = new PluginStore(database);
      const first: PluginRow = { id: 'acme.demo', enabled: true, source: 'THIRD_PARTY' };
      const second: PluginRow = { id: 'x'.repeat(128), enabled: false, source: 'OFFICIAL' };
      for (const row of [first, second, first]) expect(await plugins.ensure(row)).toEqual(row);
      await plugins.setEnabled(first.id, false);
      expect(await plugins.ensure(first)).toEqual({ ...first, enabled: false });
      await plugins.setEnabled(first.id, true);
      await plugins.remove(second.id);
      expect(await plugins.all()).toEqual([first]);
      for (const version of ['1.0.0', '1.0.0', '2.0.0-beta.1'])
        await plugins.markSeeded('host.sample', version);
      expect([...(await plugins.seeded())]).toEqual([['host.sample', '2.0.0-beta.1']]);

      const databases = new PluginDatabaseStore(database);
      const row = {
        name: 'plugin_a_01',
        pluginId: 'a',
        username: 'plugin_a_01',
        password: 'ENC(é)',
      };
      await databases.add(row);
      expect(await databases.active('a')).toEqual(row);
      await databases.setPassword(row.name, 'x'.repeat(5_000));
      await databases.setState(row.name, 'DELETE_PENDING');
      expect(await databases.active('a')).toBeNull();
      expect(await databases.pending()).toEqual([{ ...row, password: 'x'.repeat(5_000) }]);
      await databases.remove(row.name);
      expect(await databases.pending()).toEqual([]);
      expect(database.type).toBe(type);
    } finally {
      await database.close();
      await made.cleanUp();
    }
  },
);
