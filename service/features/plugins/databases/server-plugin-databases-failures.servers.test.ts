import { fork } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes, randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../app/index.ts';
import { api, PluginManifest } from '../../../contract/index.ts';
import type { Database } from '../../../platform/database/database.ts';
import { migrate } from '../../../platform/database/migrate.ts';
import { openDatabase } from '../../../platform/database/open-database.ts';
import { createSecrets } from '../../../platform/secrets.ts';
import {
  configuredFolder,
  installDatabasePlugin,
  machineKey,
  queryAs,
  startHostOn,
} from '../../../testing/database-plugin.ts';
import {
  databaseServers,
  type OwnServer,
  serverDatabases,
  startMariadb,
  startPostgres,
} from '../../../testing/database-servers/index.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { createPluginDatabases } from './create-plugin-databases.ts';
import type { PluginDatabases } from './plugin-databases.ts';

const types = ['MYSQL', 'POSTGRESQL'] as const;

describe.each(types)('a server (%s) that is unavailable', (type) => {
  let server: OwnServer;
  let database: string;
  beforeEach(async () => {
    server = await (type === 'MYSQL' ? startMariadb() : startPostgres());
    database = await server.makeDatabase();
  });
  afterEach(() => server.close());

  const count = async (table: string, where: string): Promise<number> =>
    (await server.adminQuery(`SELECT 1 FROM ${table} WHERE ${where}`, database)).length;
  const namespaceCount = (): Promise<number> =>
    count('information_schema.schemata', `schema_name LIKE 'plugin_acme%'`);
  const rows = (state: string): Promise<number> => count('plugin_databases', `state = '${state}'`);

  describe('while a database is deleted', () => {
    const manifest = PluginManifest.parse({
      id: 'acme.gone',
      name: 'Gone',
      version: '1.0.0',
      database: true,
      permissions: ['network'],
    });
    const log = createLog({ level: 'INFO', directory: null, stderr: false });
    let own: Database;
    let databases: PluginDatabases;
    beforeEach(async () => {
      const config = server.config({ database });
      own = await openDatabase(config);
      await migrate(own);
      databases = await createPluginDatabases({
        database: own,
        config,
        log,
        secrets: createSecrets(machineKey),
        dataDirectory: () => '/nowhere',
        retryMs: 50,
      });
    });
    afterEach(async () => {
      await databases.close();
      await own.close();
    });

    it('postpones the deletion, reports it, and completes it once the server is back', async () => {
      databases.start();
      await databases.variablesOf(manifest, (path) => path);
      expect(await namespaceCount()).toBe(1);
      const aside = await databases.setAside(manifest.id);
      expect(await rows('DELETE_PENDING')).toBe(1);
      await server.kill();
      await aside.delete();
      expect(log.errors.at(-1)?.message).toMatch(/plugin/);
      await server.start();
      await expect.poll(() => rows('DELETE_PENDING')).toBe(0);
      expect(await namespaceCount()).toBe(0);
    });

    it('does not delete a database that may still be restored', async () => {
      databases.start();
      const before = await databases.variablesOf(manifest, (path) => path);
      const aside = await databases.setAside(manifest.id);
      await delay(300);
      expect(await namespaceCount()).toBe(1);
      await aside.putBack();
      expect(await rows('ACTIVE')).toBe(1);
      expect(await databases.variablesOf(manifest, (path) => path)).toEqual(before);
    });
  });

  it('fails the call and the uninstallation, and both succeed once it is back', async () => {
    const id = 'acme.away';
    const host = await startHostOn(server.config({ database }));
    try {
      const uninstall = (): Promise<unknown> =>
        host.client.call(api.market.uninstall, { params: { id }, query: { deleteData: 'true' } });
      await installDatabasePlugin(host, { id });
      await server.kill();
      await expect(queryAs(host, id, 'SELECT 1')).rejects.toMatchObject({
        problem: { code: 'worker_could_not_start', status: 502 },
      });
      await expect(uninstall()).rejects.toMatchObject({ problem: { status: 503 } });
      await server.start();
      await expect(queryAs(host, id, 'SELECT 1 AS n')).resolves.toEqual([{ n: 1 }]);
      await uninstall();
      expect(await namespaceCount()).toBe(0);
    } finally {
      await host.close();
    }
  });
});

describe.each(serverDatabases)('a host on $type that is killed', ({ type, make }) => {
  const rounds = 6;
  const script = join(import.meta.dirname, '..', '..', '..', 'testing', 'providing-host.ts');

  it('while it creates a database has a complete one at the next call, and leaves nothing behind', async () => {
    const id = `k${randomBytes(4).toString('hex')}`;
    const made = await make();
    const workDirectory = await configuredFolder(made.config);
    const server = await (type === 'MYSQL'
      ? databaseServers().mariadb()
      : databaseServers().postgres());
    const logins = (): Promise<unknown[]> =>
      server.adminQuery(
        type === 'MYSQL'
          ? `SELECT grantee FROM information_schema.user_privileges WHERE grantee LIKE '%${id}%'`
          : `SELECT rolname FROM pg_roles WHERE rolname LIKE '%${id}%'`,
      );
    const namespaces = (): Promise<unknown[]> =>
      server.adminQuery(
        `SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE '%${id}%'`,
        made.config.database,
      );
    try {
      for (let round = 0; round < rounds; round += 1) {
        const child = fork(script, [workDirectory, id], {
          stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        });
        await once(child, 'message');
        await delay(randomInt(1, 40 + 40 * round));
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
        const host = await startTestHost({ workDirectory, machineKey });
        await expect(queryAs(host, id, 'SELECT 1 AS n')).resolves.toEqual([{ n: 1 }]);
        expect([await logins(), await namespaces()].map(({ length }) => length)).toEqual([1, 1]);
        await host.client.call(api.market.uninstall, {
          params: { id },
          query: { deleteData: 'true' },
        });
        expect([await logins(), await namespaces()]).toEqual([[], []]);
        await host.stop();
      }
    } finally {
      await rm(workDirectory, { recursive: true, force: true });
      await made.cleanUp();
    }
  }, 300_000);
});
