import { beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { everyDatabase } from '../../testing/database-servers/index.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { PluginDatabaseStore } from './databases/plugin-database-store.ts';
import { type PluginRow, PluginStore } from './plugin-store.ts';

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);
  beforeEach(() => migrate(used.current));

  it('the rows of plugins come back as they were stored', async () => {
    const plugins = new PluginStore(used.current);
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
  });

  it('the rows of their databases come back as they were stored', async () => {
    const databases = new PluginDatabaseStore(used.current);
    const name = 'plugin_a_01';
    const row = { name, pluginId: 'a', username: name, password: 'ENC(é)' };
    await databases.add(row);
    expect(await databases.active('a')).toEqual(row);
    const password = 'x'.repeat(5_000);
    await databases.setPassword(name, password);
    await databases.setState(name, 'DELETE_PENDING');
    expect(await databases.active('a')).toBeNull();
    expect(await databases.pending()).toEqual([{ ...row, password }]);
    await databases.remove(name);
    expect(await databases.pending()).toEqual([]);
  });
});
