import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { backupOf, restoreIntoNew, seenBy, unzip } from '../../testing/backups.ts';
import { machineKey } from '../../testing/database-plugin.ts';
import { type MadeDatabase, serverDatabases } from '../../testing/database-servers/index.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

describe.each(serverDatabases)('a backup of a host on $type', ({ type, make }) => {
  let made: MadeDatabase;
  let host: TestHost;
  beforeEach(async () => {
    made = await make();
    host = await startTestHost({ machineKey, setup: null });
  });
  afterEach(async () => {
    await host.close();
    await made.cleanUp();
  });

  it('contains the connection but no rows; restored with the same key, the host is the same', async () => {
    const { host: address, port, database, username, password = '' } = made.config;
    const params = { host: address, port, database, username, password };
    await host.client.call(api.setup.initialize, { body: { type, params } });
    const body = { source: 'host', level: 'info', title: 'canary of the rows' } as const;
    await host.client.call(api.notifications.create, { body });
    const seen = await seenBy(host);
    const archive = await backupOf(host);
    await host.stop();
    await rm(host.paths.host, { recursive: true });

    const parts = await unzip(archive);
    expect([...parts.keys()].sort()).toEqual([
      'backup.json',
      'config/datasource.properties',
      'plugins/.installed.json',
    ]);
    expect(JSON.parse(String(parts.get('backup.json')))).toMatchObject({
      database: { type, file: null },
      contents: ['configuration', 'plugins', 'plugin data', 'plugin settings'],
    });
    expect(String(parts.get('config/datasource.properties'))).toMatch(/^db\.password=ENC\(.+\)$/m);
    for (const content of parts.values())
      for (const canary of [password, 'canary of the rows'])
        expect(content.includes(canary)).toBe(false);

    const workDirectory = await restoreIntoNew(archive);
    const restored = await startTestHost({ workDirectory, machineKey, setup: null });
    expect(restored.host.mode()).toBe('APP');
    expect(await seenBy(restored)).toEqual(seen);
    await restored.close();
  });
});
