import { beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { everyDatabase } from '../../testing/database-servers/index.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { PluginDatabaseStore } from './databases/plugin-database-store.ts';
import { earlierPluginRows } from './earlier-plugin-store.ts';

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);
  beforeEach(() => migrate(used.current));

  it('plugin rows written by an earlier release are found', async () => {
    const tables = used.current.sequelize.getQueryInterface();
    const row = { id: 'acme.demo', enabled: true, source: 'THIRD_PARTY', installed_at: new Date() };
    const other = { ...row, id: 'x'.repeat(128), enabled: false, source: 'OFFICIAL' };
    await tables.bulkInsert('plugins', [row, other]);
    await tables.bulkInsert('seeded_plugins', [{ id: 'host.sample', version: '2.0.0-beta.1' }]);
    const found = await earlierPluginRows(used.current, { seeded: true });
    expect(found.plugins.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
      { id: row.id, enabled: true, source: 'THIRD_PARTY' },
      { id: other.id, enabled: false, source: 'OFFICIAL' },
    ]);
    expect([...found.seeded]).toEqual([['host.sample', '2.0.0-beta.1']]);
    expect((await earlierPluginRows(used.current, { seeded: false })).seeded.size).toBe(0);
  });

  it('the rows of their databases are read as they were stored', async () => {
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
