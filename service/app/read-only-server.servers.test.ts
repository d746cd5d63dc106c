import { expect, it } from 'vitest';
import type { Notification } from '../contract/index.ts';
import { type OwnServer, startMariadb, startPostgres } from '../testing/database-servers/index.ts';
import { makeLimitedUser } from '../testing/database-servers/limited-user.ts';
import { startTestHost } from '../testing/test-host.ts';

/** Statements that also affect open sessions. */
const switches = {
  MYSQL: (isOn: boolean) => [`SET GLOBAL read_only = ${isOn ? 'ON' : 'OFF'}`],
  POSTGRESQL: (isOn: boolean) => [
    `ALTER SYSTEM SET default_transaction_read_only = ${isOn ? 'on' : 'off'}`,
    'SELECT pg_reload_conf()',
  ],
};

it.each([
  ['MYSQL', startMariadb],
  ['POSTGRESQL', startPostgres],
] as const)(
  'a %s server that takes no changes any more costs changes alone, with the reason, also over a restart, and heals',
  async (type, startServer) => {
    const server: OwnServer = await startServer({ durable: false });
    const { config } = await makeLimitedUser(server);
    let host = await startTestHost({ setup: null });
    const post = (path: string, body: object) =>
      host.ask(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const notify = (title: string) =>
      post('/api/notifications', { source: 'host', level: 'info', title });
    const titles = async () =>
      ((await host.ask('/api/notifications')).json() as Notification[]).map(({ title }) => title);
    const setReadOnly = async (isOn: boolean): Promise<void> => {
      for (const sql of switches[type](isOn)) await server.adminQuery(sql);
    };
    try {
      const { host: name, port, username, password, database } = config;
      const params = { host: name, port, username, password, database };
      expect((await post('/api/setup/initialize', { type, params })).status).toBe(200);
      expect((await notify('Before')).status).toBe(201);
      await setReadOnly(true);
      await expect.poll(async () => (await notify('Meanwhile')).status).toBe(503);
      for (const refused of [
        await notify('Meanwhile'),
        await host.ask('/api/settings', {
          method: 'PUT',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ theme: 'dark' }),
        }),
      ])
        expect(refused.json()).toMatchObject({ status: 503, code: 'database_read_only' });
      expect(await titles()).toEqual(expect.arrayContaining(['Before']));
      expect(host.host.mode()).toBe('APP');
      await host.stop();
      host = await startTestHost({ workDirectory: host.workDirectory, setup: null });
      expect(host.host.mode()).toBe('APP');
      expect(await titles()).toEqual(expect.arrayContaining(['Before']));
      await setReadOnly(false);
      await expect.poll(async () => (await notify('After')).status).toBe(201);
      expect((await titles())[0]).toBe('After');
    } finally {
      await host.close();
      await server.close();
    }
  },
);
