import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ConnectionTest } from '../../contract/index.ts';
import {
  databaseServers,
  type DatabaseServer,
  startMariadb,
} from '../../testing/database-servers/index.ts';
import { type LimitedUser, makeLimitedUser } from '../../testing/database-servers/limited-user.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

let host: TestHost;
beforeEach(async () => {
  host = await startTestHost({ setup: null });
});
afterEach(() => host.close());

const tablesSql = {
  MYSQL: 'SHOW TABLES',
  POSTGRESQL: `SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
};

async function ask(path: string, { config }: LimitedUser): Promise<unknown> {
  const { type, host: name, port, database, username, password } = config;
  const answer = await host.ask(`/api/setup/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Host-Token': '' },
    body: JSON.stringify({ type, params: { host: name, port, database, username, password } }),
  });
  return answer.json();
}
const test = (user: LimitedUser) => ask('test-connection', user) as Promise<ConnectionTest>;

/** Both report the same message, and the database is unchanged. */
async function expectRefusal(
  server: DatabaseServer,
  user: LimitedUser,
  reason: RegExp,
): Promise<void> {
  const { type, database = '' } = user.config;
  const tables = () => server.adminQuery(tablesSql[type as 'MYSQL' | 'POSTGRESQL'], database);
  const before = await tables();
  const { success, message = '' } = await test(user);
  expect(message).toMatch(reason);
  expect(success).toBe(false);
  const initialized = await ask('initialize', user);
  expect(initialized).toMatchObject({ code: 'connection_failed', status: 422, detail: message });
  expect(host.host.mode()).toBe('SETUP');
  expect(await tables()).toEqual(before);
}

it.each(['CREATE', 'DROP', 'ALTER', 'INDEX', 'INSERT', 'UPDATE', 'DELETE', 'SELECT'])(
  'on MySQL a user without the privilege %s is refused, and nothing is left behind',
  async (right) => {
    const server = await databaseServers().mariadb();
    const user = await makeLimitedUser(server);
    expect(await test(user)).toMatchObject({ success: true });
    await user.revoke(`${right} ON \`${user.config.database ?? ''}\`.*`);
    await expectRefusal(
      server,
      user,
      /may not use the database .*create tables in it\. Grant this permission/,
    );
  },
);

it('on MySQL a read-only server is refused with that reason, until it accepts changes', async () => {
  const server = await startMariadb({ durable: false });
  try {
    const user = await makeLimitedUser(server);
    await server.adminQuery('SET GLOBAL read_only = ON');
    await expectRefusal(
      server,
      user,
      /has read-only access on this server\. Choose .* accepts changes\.$/,
    );
    await server.adminQuery('SET GLOBAL read_only = OFF');
    expect(await test(user)).toMatchObject({ success: true });
  } finally {
    await server.close();
  }
});

it('on PostgreSQL a role without the privileges is refused, and nothing is left behind', async () => {
  const server = await databaseServers().postgres();
  const user = await makeLimitedUser(server);
  const { database = '', username = '' } = user.config;
  expect(await test(user)).toMatchObject({ success: true });
  await server.adminQuery(`ALTER DATABASE ${database} OWNER TO CURRENT_USER`);
  await server.adminQuery(`GRANT CONNECT ON DATABASE ${database} TO ${username}`);
  await expectRefusal(
    server,
    user,
    /may not create tables in this database\. Grant this permission/,
  );

  const grant = (right: string) => server.adminQuery(`GRANT ${right} TO ${username}`, database);
  await grant('CREATE ON SCHEMA public');
  await server.adminQuery('CREATE TABLE "SequelizeMeta" (name text)', database);
  await grant('SELECT ON "SequelizeMeta"');
  await expectRefusal(server, user, /belong to another user, and limited_\w+ may not change them/);

  await server.adminQuery('DROP TABLE "SequelizeMeta"', database);
  expect(await test(user)).toMatchObject({ success: true });
  await server.adminQuery(`ALTER ROLE ${username} SET default_transaction_read_only = on`);
  await expectRefusal(server, user, /has read-only access on this server\. Choose another user/);
});
