import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../app/index.ts';
import { api } from '../../../contract/index.ts';
import {
  type DatabaseVariables,
  installDatabasePlugin,
  machineKey,
  queryAs,
  startHostOn,
  variablesOf,
} from '../../../testing/database-plugin.ts';
import {
  type DatabaseServer,
  databaseServers,
  type MadeDatabase,
  serverDatabases,
} from '../../../testing/database-servers/index.ts';
import {
  type LimitedUser,
  makeLimitedUser,
} from '../../../testing/database-servers/limited-user.ts';
import { invoke } from '../../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../../testing/test-host.ts';

const problem = (code: string, status: number, detail?: RegExp): unknown =>
  expect.objectContaining({
    problem: expect.objectContaining({
      code,
      status,
      ...(detail && { detail: expect.stringMatching(detail) as unknown }),
    }) as unknown,
  });

const uninstallFrom = (host: TestHost, id: string, deleteData: 'true' | 'false') =>
  host.client.call(api.market.uninstall, { params: { id }, query: { deleteData } });

describe.each(serverDatabases)('the database of a plugin on $type', ({ type, make }) => {
  const isMysql = type === 'MYSQL';
  let server: DatabaseServer;
  let made: MadeDatabase;
  let host: TestHost;
  let id: string;
  beforeAll(async () => {
    server = await (isMysql ? databaseServers().mariadb() : databaseServers().postgres());
    made = await make();
    host = await startHostOn(made.config);
  });
  afterAll(async () => {
    await host.close();
    await made.cleanUp();
  });
  beforeEach(() => {
    id = `acme.t${randomBytes(5).toString('hex')}`;
  });

  /** Queries the schema of the host as the administrator. */
  const ask = (sql: string): Promise<Record<string, unknown>[]> =>
    server.adminQuery(sql, made.config.database);
  const rows = (where = id): Promise<Record<string, unknown>[]> =>
    ask(
      `SELECT name, username, password, state FROM plugin_databases WHERE plugin_id = '${where}'`,
    );
  const nameOf = ({ HOST_PLUGIN_DB_URL: url }: DatabaseVariables): string =>
    /plugin_\w+/.exec(url)?.[0] ?? '';
  const restart = async (key = machineKey): Promise<void> => {
    const { workDirectory } = host;
    await host.stop();
    host = await startTestHost({ workDirectory, machineKey: key });
  };
  const notes = (): Promise<unknown> => queryAs(host, id, 'SELECT text FROM notes');
  const writeSample = (): Promise<unknown> =>
    queryAs(host, id, 'CREATE TABLE notes (text VARCHAR(20))', `INSERT INTO notes VALUES ('one')`);

  it('is created when the worker first starts, and used with its own login', async () => {
    await installDatabasePlugin(host, { id });
    expect(await rows()).toEqual([]);
    const variables = await variablesOf(host, id);
    expect(variables).toMatchObject({
      HOST_PLUGIN_DB_TYPE: type,
      HOST_PLUGIN_DB_USERNAME: expect.stringMatching(/^plugin_acme_t\w+_[0-9a-f]{8}$/) as unknown,
      HOST_PLUGIN_DB_PASSWORD: expect.stringMatching(/^[\w-]{40,}$/) as unknown,
    });
    await writeSample();
    expect(await notes()).toEqual([{ text: 'one' }]);
    const namespace = nameOf(variables);
    expect(await ask(`SELECT text FROM ${namespace}.notes`)).toEqual([{ text: 'one' }]);
    expect(await rows()).toMatchObject([{ name: namespace, state: 'ACTIVE' }]);
    await restart();
    expect(await variablesOf(host, id)).toEqual(variables);
    expect(await notes()).toEqual([{ text: 'one' }]);
  });

  it('is created once for any number of concurrent first calls', async () => {
    await installDatabasePlugin(host, { id });
    const answers = await Promise.all(Array.from({ length: 8 }, () => variablesOf(host, id)));
    expect(new Set(answers.map(nameOf)).size).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  it('requires the permission "network", and reports that', async () => {
    await installDatabasePlugin(host, { id, permissions: [] });
    await expect(variablesOf(host, id)).rejects.toEqual(
      problem('missing_permission', 403, /"network"/),
    );
    expect(await host.client.call(api.plugins.show, { params: { id } })).toMatchObject({
      stateReason: expect.stringContaining('"network"') as unknown,
    });
    expect(await rows()).toEqual([]);
    await installDatabasePlugin(host, { id, permissions: ['network'] });
    await expect(variablesOf(host, id)).resolves.toMatchObject({ HOST_PLUGIN_DB_TYPE: type });
  });

  it('is kept with its login when the plugin is uninstalled without its data [PLUGIN-33]', async () => {
    await installDatabasePlugin(host, { id });
    await writeSample();
    const before = await variablesOf(host, id);
    await uninstallFrom(host, id, 'false');
    await restart();
    await installDatabasePlugin(host, { id });
    expect(await variablesOf(host, id)).toEqual(before);
    expect(await notes()).toEqual([{ text: 'one' }]);
  });

  it('is deleted with the data of the plugin, and does not return [PLUGIN-35]', async () => {
    await installDatabasePlugin(host, { id });
    await writeSample();
    const before = await variablesOf(host, id);
    await uninstallFrom(host, id, 'true');
    expect(await rows()).toEqual([]);
    expect(await remainsOf(server, made, before)).toEqual([]);
    await installDatabasePlugin(host, { id });
    await expect(notes()).rejects.toThrow(/not exist|doesn't exist/);
    expect(nameOf(await variablesOf(host, id))).not.toBe(nameOf(before));
  });

  it('is kept if uninstalling with data fails at the files', async () => {
    await installDatabasePlugin(host, { id });
    await writeSample();
    // A file in place of the directory cannot be moved as one.
    const { staging } = host.paths;
    await rename(staging, `${staging}.away`);
    await writeFile(staging, '');
    await expect(uninstallFrom(host, id, 'true')).rejects.toEqual(problem('cannot_delete', 409));
    await rm(staging);
    await rename(`${staging}.away`, staging);
    expect(await rows()).toMatchObject([{ state: 'ACTIVE' }]);
    expect(await notes()).toEqual([{ text: 'one' }]);
  });

  it('gets a new password if the old one cannot be decrypted, without losing data', async () => {
    await installDatabasePlugin(host, { id });
    await writeSample();
    const before = await variablesOf(host, id);
    await ask(
      `UPDATE plugin_databases SET password = 'ENC(${randomBytes(60).toString('base64')})' WHERE plugin_id = '${id}'`,
    );
    await restart();
    const after = await variablesOf(host, id);
    expect(nameOf(after)).toBe(nameOf(before));
    expect(after.HOST_PLUGIN_DB_PASSWORD).not.toBe(before.HOST_PLUGIN_DB_PASSWORD);
    expect(await notes()).toEqual([{ text: 'one' }]);
  });

  it('gives its login access to nothing else', async () => {
    const other = `${id}.other`;
    await installDatabasePlugin(host, { id: other });
    await queryAs(host, other, 'CREATE TABLE secrets (text VARCHAR(20))');
    const otherNamespace = nameOf(await variablesOf(host, other));
    await installDatabasePlugin(host, { id });
    const own = nameOf(await variablesOf(host, id));
    const hostNamespace = isMysql ? made.config.database : 'public';
    const common = [
      `SELECT * FROM ${hostNamespace}.plugins`,
      `DELETE FROM ${hostNamespace}.plugins`,
      `CREATE TABLE ${hostNamespace}.mine (n INTEGER)`,
      `SELECT * FROM ${otherNamespace}.secrets`,
      `CREATE TABLE ${otherNamespace}.mine (n INTEGER)`,
      'CREATE DATABASE mine',
      'CREATE ROLE mine',
    ];
    const special = isMysql
      ? [
          `CREATE USER mine IDENTIFIED BY 'x'`,
          'SELECT * FROM mysql.global_priv',
          `GRANT SELECT ON ${own}.* TO ${server.username}`,
          `SELECT 1 INTO OUTFILE '/tmp/${own}'`,
          `CREATE EVENT ${own}.mine ON SCHEDULE EVERY 1 HOUR DO SELECT 1`,
          `CREATE DATABASE ${own.replace('plugin_', 'pluginx')}`,
        ]
      : [
          'CREATE SCHEMA mine',
          `DROP SCHEMA ${own}`,
          `SET ROLE ${server.username}`,
          'SELECT * FROM pg_authid',
          `COPY (SELECT 1) TO PROGRAM 'true'`,
        ];
    for (const sql of [...common, ...special]) {
      await expect(queryAs(host, id, sql), sql).rejects.toThrow(
        /denied|must be (owner|superuser)/i,
      );
    }
    if (isMysql) {
      const seen = await queryAs(host, id, 'SHOW DATABASES');
      expect(seen.map(({ Database }) => Database).sort()).toEqual(
        ['information_schema', own].sort(),
      );
    }
  });

  it('keeps its password out of logs, responses, command lines and the database', async () => {
    const directory = join(host.workDirectory, 'log-of-the-canary');
    const { workDirectory } = host;
    await host.stop();
    const log = createLog({ level: 'TRACE', directory, stderr: false });
    host = await startTestHost({ workDirectory, machineKey, log });
    await installDatabasePlugin(host, { id });
    const { HOST_PLUGIN_DB_PASSWORD: password } = await variablesOf(host, id);
    const commandLine = await invoke(host, id, 'commandLine');
    const paths = [
      '/api/plugin-market',
      `/api/plugin-runtime/${id}`,
      `/api/plugin-runtime/${id}/logs`,
      '/api/diagnostics',
      '/api/notifications',
    ];
    const answers = await Promise.all(paths.map(async (path) => (await host.ask(path)).text));
    const stored = await ask('SELECT * FROM plugin_databases');
    await uninstallFrom(host, id, 'true');
    await restart();
    await log.close();
    const logs = await Promise.all(
      (await readdir(directory)).map((name) => readFile(join(directory, name), 'utf8')),
    );
    expect(logs.join()).toContain(id);
    const all = JSON.stringify({ commandLine, answers, stored, logs });
    expect(all).not.toContain(password);
    expect(password.length).toBeGreaterThan(40);
  });
});

/** Returns what the server still has of a namespace: its schema or database, and its login. */
async function remainsOf(
  server: DatabaseServer,
  made: MadeDatabase,
  variables: DatabaseVariables,
): Promise<unknown[]> {
  const name = /plugin_\w+/.exec(variables.HOST_PLUGIN_DB_URL)?.[0] ?? '';
  const username = variables.HOST_PLUGIN_DB_USERNAME;
  const logins =
    server.type === 'MYSQL'
      ? `SELECT grantee FROM information_schema.user_privileges WHERE grantee LIKE '%${username}%'`
      : `SELECT rolname FROM pg_roles WHERE rolname = '${username}'`;
  const schemaQuery = `SELECT schema_name FROM information_schema.schemata WHERE schema_name = '${name}'`;
  const { database } = made.config;
  return [
    ...(await server.adminQuery(schemaQuery, database)),
    ...(await server.adminQuery(logins)),
  ];
}

describe.each(serverDatabases)('a host whose user on $type has limited privileges', ({ type }) => {
  const isMysql = type === 'MYSQL';
  const id = 'acme.limited';
  const grantTarget = '`plugin\\_%`.*';
  const needed = isMysql ? 'CREATE USER ON *.*' : 'CREATEROLE';
  const notAnyMore = isMysql ? needed : 'NOCREATEROLE';
  let server: DatabaseServer;
  let user: LimitedUser;
  let host: TestHost;
  beforeEach(async () => {
    server = await (isMysql ? databaseServers().mariadb() : databaseServers().postgres());
    user = await makeLimitedUser(server);
    host = await startHostOn(user.config);
  });
  afterEach(async () => {
    await host.close();
    await server.dropDatabase(user.config.database ?? '');
  });

  const states = async (): Promise<unknown[]> => {
    const found = await server.adminQuery(
      'SELECT state FROM plugin_databases ORDER BY created_at',
      user.config.database,
    );
    return found.map(({ state }) => state);
  };
  const enable = async (): Promise<void> => {
    const whom = `'${user.config.username}'@'%'`;
    if (isMysql) {
      await server.adminQuery(`GRANT ALL ON ${grantTarget} TO ${whom} WITH GRANT OPTION`);
    }
    await user.grant(needed);
  };
  /** MySQL reads global privileges only when the user connects. */
  const restart = async (change: () => Promise<void>): Promise<void> => {
    const { workDirectory } = host;
    await host.stop();
    await change();
    host = await startTestHost({ workDirectory, machineKey });
  };

  it('names the missing privilege, and works once it is granted', async () => {
    await installDatabasePlugin(host, { id });
    const right = isMysql ? /the privilege CREATE on/ : /the privilege CREATEROLE/;
    await expect(variablesOf(host, id)).rejects.toEqual(
      problem('worker_could_not_start', 502, right),
    );
    expect(await host.client.call(api.plugins.show, { params: { id } })).toMatchObject({
      state: 'crashed',
      stateReason: expect.stringMatching(right) as unknown,
    });
    await restart(enable);
    await expect(variablesOf(host, id)).resolves.toMatchObject({ HOST_PLUGIN_DB_TYPE: type });
    expect(await states()).toEqual(['ACTIVE']);
    await uninstallFrom(host, id, 'true');
    expect(await states()).toEqual([]);
  });

  it('uninstalls a plugin whose database it cannot drop, and drops it at a later start [PLUGIN-37]', async () => {
    await restart(enable);
    await installDatabasePlugin(host, { id });
    await queryAs(host, id, 'CREATE TABLE notes (text VARCHAR(20))');
    await restart(() => user.revoke(notAnyMore));
    await uninstallFrom(host, id, 'true');
    expect((await host.client.call(api.market.list)).map((one) => one.id)).toEqual([]);
    expect(await states()).toEqual(['DELETE_PENDING']);
    expect(host.log.errors.map(({ message }) => message).join()).toMatch(
      /acme\.limited cannot be deleted now and is tried again: .* does not have/,
    );
    await restart(() => Promise.resolve());
    await restart(() => user.grant(needed));
    await expect.poll(states).toEqual([]);
  });

  it('creates a new database for a plugin that is reinstalled meanwhile', async () => {
    await restart(enable);
    await installDatabasePlugin(host, { id });
    await queryAs(host, id, 'CREATE TABLE notes (text VARCHAR(20))');
    await restart(() => user.revoke(notAnyMore));
    await uninstallFrom(host, id, 'true');
    await restart(async () => {
      await user.grant(needed);
      const held = `UPDATE plugin_databases SET type = 'HELD'`;
      await server.adminQuery(held, user.config.database);
    });
    await installDatabasePlugin(host, { id });
    await expect(queryAs(host, id, 'SELECT text FROM notes')).rejects.toThrow(/exist/);
    const free = `UPDATE plugin_databases SET type = '${type}'`;
    await restart(async () => {
      await server.adminQuery(free, user.config.database);
    });
    await expect.poll(states).toEqual(['ACTIVE']);
    await expect(variablesOf(host, id)).resolves.toMatchObject({ HOST_PLUGIN_DB_TYPE: type });
    await uninstallFrom(host, id, 'true');
  });
});
