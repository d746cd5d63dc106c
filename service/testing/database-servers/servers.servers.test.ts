import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type RowDataPacket, createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../workers/is-alive.ts';
import {
  type DatabaseServer,
  type Login,
  type OwnServer,
  type OwnServerOptions,
  databaseServers,
  serverDatabases,
  startMariadb,
  startPostgres,
} from './index.ts';

/** An open connection. */
interface Session {
  query(sql: string): Promise<Record<string, unknown>[]>;
  end(): Promise<void> | void;
}

interface Target {
  database?: string;
  tls?: boolean;
}

/** Connects with the drivers directly. */
interface Kind {
  type: 'MYSQL' | 'POSTGRESQL';
  shared(): Promise<DatabaseServer>;
  startOwn(options?: OwnServerOptions): Promise<OwnServer>;
  connect(server: DatabaseServer, login: Login, target: Target): Promise<Session>;
  /** Returns one row with `encrypted`: '' or 'f' for a connection without TLS. */
  encrypted: string;
  wrongPassword: RegExp;
  tlsRequired: RegExp;
  noPermission: RegExp;
  readOnly: RegExp;
}

const kinds: Kind[] = [
  {
    type: 'MYSQL',
    shared: databaseServers().mariadb,
    startOwn: startMariadb,
    async connect(server, { username, password }, { database, tls = false }) {
      const ca = await readFile(server.caFile, 'utf8');
      const { port } = server;
      const login = { host: 'localhost', port, user: username, password, database };
      const connection = await createConnection(tls ? { ...login, ssl: { ca } } : login);
      connection.on('error', () => undefined);
      return {
        query: async (sql) => (await connection.query<RowDataPacket[]>(sql))[0],
        end: () => connection.destroy(),
      };
    },
    encrypted: `SELECT variable_value AS encrypted FROM information_schema.session_status WHERE variable_name = 'Ssl_cipher'`,
    wrongPassword: /Access denied for user 'admin'/,
    tlsRequired: /Access denied for user 'tls_only'/,
    noPermission: /Access denied for user 'stranger'@'%' to database/,
    readOnly: /command denied to user 'reader'/,
  },
  {
    type: 'POSTGRESQL',
    shared: databaseServers().postgres,
    startOwn: startPostgres,
    async connect(server, { username, password }, { database = server.database, tls = false }) {
      const ca = await readFile(server.caFile, 'utf8');
      const login = { host: 'localhost', port: server.port, user: username, password, database };
      const client = new Client({ ...login, ssl: tls ? { ca } : false });
      client.on('error', () => undefined);
      await client.connect();
      return {
        query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
        end: () => client.end(),
      };
    },
    encrypted: `SELECT CASE WHEN ssl THEN cipher ELSE '' END AS encrypted FROM pg_stat_ssl WHERE pid = pg_backend_pid()`,
    wrongPassword: /password authentication failed for user "admin"/,
    tlsRequired: /pg_hba.conf rejects connection .* no encryption/,
    noPermission: /permission denied for database/,
    readOnly: /permission denied for schema public/,
  },
];

describe.each(kinds)('the $type server that a test run shares', (kind) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await kind.shared();
  });

  async function execute(login: Login, sql: string, target: Target = {}) {
    const session = await kind.connect(server, login, target);
    try {
      return await session.query(sql);
    } finally {
      await session.end();
    }
  }

  it('is the same for every caller', async () => {
    const [one, two] = await Promise.all([kind.shared(), kind.shared()]);
    expect([one.port, two.port]).toEqual([server.port, server.port]);
  });

  it('answers without TLS and over TLS with a certificate for its name', async () => {
    expect(await execute(server, kind.encrypted)).toEqual([{ encrypted: '' }]);
    expect(await execute(server, kind.encrypted, { tls: true })).toEqual([
      { encrypted: expect.stringMatching(/^TLS_/) },
    ]);
  });

  it('lets one user in over TLS alone, who may do everything in a database', async () => {
    const { tlsOnly } = server.users;
    const database = await server.makeDatabase();
    await expect(execute(tlsOnly, 'SELECT 1', { database })).rejects.toThrow(kind.tlsRequired);
    const target = { database, tls: true };
    await execute(tlsOnly, 'CREATE TABLE notes (id int)', target);
    expect(await execute(tlsOnly, 'SELECT * FROM notes', target)).toEqual([]);
    await server.dropDatabase(database);
  });

  it('refuses a wrong password', async () => {
    const wrong = { username: server.username, password: `${server.password}.` };
    await expect(execute(wrong, 'SELECT 1')).rejects.toThrow(kind.wrongPassword);
  });

  it('makes empty databases, in which each user may do what it should', async () => {
    const [database, other] = await Promise.all([server.makeDatabase(), server.makeDatabase()]);
    expect(other).not.toBe(database);
    const { reader, stranger } = server.users;
    await execute(server, 'CREATE TABLE notes (id int)', { database });
    await execute(server, 'CREATE TABLE notes (id int)', { database: other });
    expect(await execute(reader, 'SELECT * FROM notes', { database })).toEqual([]);
    await expect(execute(reader, 'CREATE TABLE more (id int)', { database })).rejects.toThrow(
      kind.readOnly,
    );
    await expect(execute(stranger, 'SELECT 1', { database })).rejects.toThrow(kind.noPermission);
    await server.dropDatabase(database);
    await server.dropDatabase(other);
    await expect(execute(server, 'SELECT 1', { database })).rejects.toThrow(database);
  });

  it('lets its administrator make users', async () => {
    const user = await server.makeDatabase();
    await server.adminQuery(`CREATE USER ${user}`);
    await server.adminQuery(`DROP USER ${user}`);
    await server.dropDatabase(user);
  });
});

describe.each(serverDatabases)('an empty $type database for a test', ({ type, make }) => {
  it('can be connected to, and is gone after the clean-up although a transaction is open', async () => {
    const { config, cleanUp } = await make();
    const kind = kinds.find((one) => one.type === type)!;
    const server = await kind.shared();
    const { database, username, password } = server.config({ database: config.database });
    expect(config).toEqual({
      type,
      host: '127.0.0.1',
      port: server.port,
      database,
      username,
      password,
      ssl: false,
    });
    const open = await kind.connect(server, server, { database });
    await open.query('CREATE TABLE notes (id int)');
    await open.query('START TRANSACTION');
    await open.query('INSERT INTO notes VALUES (1)');
    await cleanUp();
    await open.end();
    await expect(kind.connect(server, server, { database })).rejects.toThrow(database);
  });
});

describe.each(kinds)("a $type server of a test's own", (kind) => {
  let server: OwnServer;
  let database = '';
  beforeAll(async () => {
    server = await kind.startOwn();
    database = await server.makeDatabase();
    await server.adminQuery('CREATE TABLE notes (id int)', database);
  });
  afterAll(() => server.close());

  const ids = async () =>
    (await server.adminQuery('SELECT id FROM notes ORDER BY id', database)).map(({ id }) => id);

  it('keeps what was committed when it is killed and started again on the same port', async () => {
    await server.adminQuery('INSERT INTO notes VALUES (1)', database);
    const killed = server.pid;
    await server.kill();
    expect([isAlive(killed), server.pid]).toEqual([false, 0]);
    await expect(ids()).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(server.pid).not.toBe(killed);
    expect(await ids()).toEqual([1]);
  });

  it('ends in order and starts again', async () => {
    await server.adminQuery('INSERT INTO notes VALUES (2)', database);
    await server.stop();
    await expect(ids()).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(await ids()).toEqual([1, 2]);
  });

  it('does not respond while it is frozen, also on open connections', async () => {
    const open = await kind.connect(server, server, { database });
    await server.freeze();
    const answers: string[] = [];
    const asked = open.query('SELECT 1').then(() => answers.push('asked'));
    const connected = ids().then(() => answers.push('connected'));
    // In the meantime another server answers several times.
    const other = await kind.shared();
    for (let count = 0; count < 5; count++) await other.adminQuery('SELECT 1');
    expect(answers).toEqual([]);
    await server.thaw();
    await Promise.all([asked, connected]);
    expect(answers.sort()).toEqual(['asked', 'connected']);
    await open.end();
  });
});

describe.each(kinds)('a $type server whose owner is killed', (kind) => {
  let owner: ChildProcess | undefined;
  afterAll(() => owner?.kill('SIGKILL'));

  it('is gone, and its directory as well', async () => {
    const program = join(import.meta.dirname, 'doomed-owner.ts');
    owner = spawn(process.execPath, [program, kind.type], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(owner.stdout!), 'line')) as [string];
    const { pid, directory } = JSON.parse(line) as { pid: number; directory: string };
    expect([isAlive(pid), existsSync(directory)]).toEqual([true, true]);
    owner.kill('SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect.poll(() => existsSync(directory)).toBe(false);
  });
});

describe.each(kinds)('a $type server that is closed', (kind) => {
  it.each(['frozen', 'killed'])('leaves nothing behind when it is %s', async (state) => {
    const server = await kind.startOwn({ durable: false });
    const { pid, directory } = server;
    if (state === 'frozen') await server.freeze();
    if (state === 'killed') await server.kill();
    await server.close();
    expect([isAlive(pid), existsSync(directory)]).toEqual([false, false]);
    await expect(server.start()).rejects.toThrow('removed');
  });
});
