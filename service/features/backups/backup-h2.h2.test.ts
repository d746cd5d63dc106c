import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { backupOf, restoreIntoNew, seenBy, unzip } from '../../testing/backups.ts';
import { machineKey } from '../../testing/database-plugin.ts';
import { startTestHost } from '../../testing/test-host.ts';

const password = 'canary-of-the-h2-user';

it('a host on H2 is the same after a restore, including the password of its database', async () => {
  const host = await startTestHost({ machineKey, setup: null });
  const body = { type: 'H2', params: { username: 'someone', password } } as const;
  await host.client.call(api.setup.initialize, { body });
  await host.client.call(api.settings.put, {
    body: { theme: 'dark', webSearch: { apiKey: 'a-secret-of-twenty-one' } },
  });
  const notification = { source: 'host', level: 'info', title: 'a note' } as const;
  await host.client.call(api.notifications.create, { body: notification });
  const archive = await backupOf(host);
  const seen = await seenBy(host);
  await host.close();

  const parts = await unzip(archive);
  expect([...parts.keys()].sort()).toEqual([
    'backup.json',
    'config/datasource.properties',
    'database/host.mv.db',
    'plugins/.installed.json',
  ]);
  for (const content of parts.values()) expect(content.includes(password)).toBe(false);

  const workDirectory = await restoreIntoNew(archive);
  const restored = await startTestHost({ workDirectory, machineKey, setup: null });
  expect(restored.host.mode()).toBe('APP');
  expect(await seenBy(restored)).toEqual(seen);
  const config = await readFile(restored.paths.dataSource, 'utf8');
  expect(config.replaceAll('\\', '')).toContain(restored.paths.database);
  expect(config.replaceAll('\\', '')).not.toContain(host.workDirectory);
  await restored.close();
});
