import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionTest, DatabaseChoice } from '../../contract/index.ts';
import {
  databaseServers,
  type DatabaseServer,
  type MadeDatabase,
  serverDatabases,
} from '../../testing/database-servers/index.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

let host: TestHost;
beforeEach(async () => {
  host = await startTestHost({ setup: null });
});
afterEach(() => host.close());

async function post(path: string, body: object): Promise<{ status: number; value: unknown }> {
  const answer = await host.ask(`/api/setup/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Host-Token': '' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, value: answer.json() };
}

describe.each(serverDatabases)('testing the connection to a $type server', ({ type, make }) => {
  let made: MadeDatabase;
  let server: DatabaseServer;
  let params: NonNullable<DatabaseChoice['params']>;
  beforeAll(async () => {
    made = await make();
    server = await (type === 'MYSQL' ? databaseServers().mariadb() : databaseServers().postgres());
    const { host, port, database, username, password } = made.config;
    params = { host, port, database, username, password };
  });
  afterAll(() => made.cleanUp());

  const test = async (changes: object): Promise<ConnectionTest> => {
    const choice = { type, params: { ...params, ...changes } };
    const { status, value } = await post('test-connection', choice);
    expect(status).toBe(200);
    return value as ConnectionTest;
  };
  const expectReason = async (changes: object, reason: RegExp): Promise<void> => {
    const result = await test(changes);
    expect(result).toMatchObject({
      success: false,
      message: expect.stringMatching(reason) as unknown,
    });
    expect(JSON.stringify(result)).not.toContain(params.password);
    expect(result.elapsedMs).toBeLessThan(6_000);
  };

  it('succeeds unencrypted, encrypted, and with a verified certificate', async () => {
    for (const changes of [{}, { ssl: true }, { ssl: true, sslCa: server.caFile }]) {
      expect(await test(changes)).toMatchObject({
        success: true,
        serverVersion: expect.stringMatching(/^\d+\.\d+/) as unknown,
      });
    }
  });

  it('leaves nothing behind in the database', async () => {
    await test({});
    const tables =
      type === 'MYSQL'
        ? 'SHOW TABLES'
        : `SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
    expect(await server.adminQuery(tables, params.database)).toEqual([]);
  });

  it('reports a wrong password', () =>
    expectReason({ password: 'wrong' }, /does not accept the password of the user admin/));

  it('reports a wrong user or a missing password', () =>
    expectReason(
      { username: 'nobody_known', password: '' },
      /password of the user nobody_known|a password/,
    ));

  it('reports a missing database', () =>
    expectReason({ database: 'no_such_thing' }, /no database named no_such_thing/));

  it('reports an unknown host', () =>
    expectReason({ host: 'no-such-host.invalid' }, /no host named no-such-host\.invalid/));

  it('reports that nothing listens at the address', () =>
    expectReason({ port: 1 }, /Nothing answers at 127\.0\.0\.1, port 1\..*is running there/));

  it('reports that the user may not use the database', () =>
    expectReason(server.users.stranger, /user stranger may not use the database/));

  it('reports that the user may not create tables', () =>
    expectReason(server.users.reader, /user reader may not .*create tables/));

  it('reports that the server requires an encrypted connection', async () => {
    const { tlsOnly } = server.users;
    if (type === 'POSTGRESQL') await expectReason(tlsOnly, /encrypted connections only/);
    // MariaDB reports the same error for a wrong password.
    else await expectReason(tlsOnly, /password of the user tls_only.*TLS/);
    expect(await test({ ...tlsOnly, ssl: true })).toMatchObject({ success: true });
  });

  it('reports an unexpected certificate', async () => {
    const other = host.paths.dataSource.replace('datasource.properties', '.machineid');
    await expectReason({ ssl: true, sslCa: other }, /certificate/);
    await expectReason(
      { ssl: true, sslCa: '/no/such/file.pem' },
      /certificate file cannot be read/,
    );
  });

  it('ends after 5 seconds without an answer', async () => {
    const silent: Server = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    try {
      await expectReason({ port }, /does not answer|did not answer within 5 seconds/);
    } finally {
      silent.close();
    }
  });

  it('is followed by initializing the tested database, which the next start finds [SETUP-08]', async () => {
    const wrong = await post('initialize', { type, params: { ...params, password: 'wrong' } });
    expect(wrong).toMatchObject({ status: 422, value: { code: 'connection_failed' } });
    expect(host.host.mode()).toBe('SETUP');
    const { port } = host;
    const done = await post('initialize', {
      type,
      params: { ...params, ssl: true, sslCa: server.caFile },
    });
    expect(done).toMatchObject({ status: 200, value: { initialized: true } });
    expect(host.port).toBe(port);
    const notification = { source: 'host', level: 'info', title: 'Kept on the server' };
    const added = await host.ask('/api/notifications', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(notification),
    });
    expect(added.status).toBe(201);
    await host.stop();
    const { workDirectory } = host;
    host = await startTestHost({ workDirectory, setup: null });
    expect(host.host.mode()).toBe('APP');
    const list = await host.ask('/api/notifications');
    expect(list.json()).toMatchObject([notification]);
  });
});
