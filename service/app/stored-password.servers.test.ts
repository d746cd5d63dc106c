import { readFile, writeFile } from 'node:fs/promises';
import { getProperties } from 'properties-file';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../contract/index.ts';
import type { DatabaseConfig } from '../platform/database/database-config.ts';
import { type MadeDatabase, serverDatabases } from '../testing/database-servers/index.ts';
import { startTestHost, type TestHost } from '../testing/test-host.ts';

let test: TestHost | undefined;
afterEach(async () => {
  await test?.close();
  test = undefined;
});

async function restart(machineKey: string): Promise<TestHost> {
  const { workDirectory } = test ?? {};
  await test?.stop();
  return (test = await startTestHost({ workDirectory, setup: null, machineKey }));
}

describe.each(serverDatabases)('the password of a $type server', ({ type, make }) => {
  let made: MadeDatabase;
  let config: DatabaseConfig;
  beforeAll(async () => {
    made = await make();
    ({ config } = made);
  });
  afterAll(() => made.cleanUp());

  it('that is lost with the machine key is entered again for the same database [SECRET-11]', async () => {
    const { host, port, database, username, password } = config;
    const body = { type, params: { host, port, database, username, password } };
    const first = await restart('the key of this machine');
    await first.client.call(api.setup.initialize, { body });
    await first.client.call(api.settings.put, {
      body: { theme: 'dark', webSearch: { apiKey: 'a-secret-of-twenty-one' } },
    });
    const lost = await restart('another key of this machine');
    expect(await lost.client.call(api.setup.status)).toMatchObject({
      reason: { code: 'secret_unreadable' },
      previous: { type },
    });
    expect(await lost.client.call(api.setup.initialize, { body })).toEqual(
      expect.objectContaining({ initialized: true }),
    );
    expect(await lost.client.call(api.settings.get)).toMatchObject({
      theme: 'dark',
      webSearch: { apiKey: '' },
    });
    const again = await restart('another key of this machine');
    expect(again.host.mode()).toBe('APP');
    expect(await again.client.call(api.notifications.list)).toHaveLength(1);
  });

  it('may be plain text in a hand-made file, including its URL', async () => {
    await restart('the key of this machine');
    const { host = '', port = 0, database = '', username = '', password = '' } = config;
    const scheme = type === 'MYSQL' ? 'mariadb' : 'postgresql';
    const secret = encodeURIComponent(password);
    const url = `jdbc:${scheme}://${username}:${secret}@${host}:${port}/${database}?sslmode=require`;
    await writeFile(test!.paths.dataSource, `db.type=${type}\ndb.url=${url}\n`);
    for (let launch = 0; launch < 2; launch += 1)
      expect((await restart('the key of this machine')).host.mode()).toBe('APP');
    const text = await readFile(test!.paths.dataSource, 'utf8');
    expect(text).not.toContain(secret);
    expect(getProperties(text)['db.url']).toBe(url.replace(`:${secret}`, ''));
  });
});
