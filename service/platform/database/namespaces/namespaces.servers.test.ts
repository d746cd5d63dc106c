import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
import type { Database } from '../database.ts';
import type { DatabaseConfig } from '../database-config.ts';
import { openDatabase } from '../open-database.ts';
import type { Namespace } from './namespace.ts';
import { Namespaces } from './namespaces.ts';

function newNamespace(): Namespace {
  const name = `plugin_t_${randomBytes(6).toString('hex')}`;
  return { name, username: name, password: `${randomBytes(16).toString('hex')}-aA1` };
}

describe.each(serverDatabases)('namespaces on $type', ({ type, make }) => {
  const isMysql = type === 'MYSQL';
  let server: DatabaseServer;
  let made: MadeDatabase;
  let database: Database;
  let namespaces: Namespaces;
  const opened: Database[] = [];
  beforeAll(async () => {
    server = await (isMysql ? databaseServers().mariadb() : databaseServers().postgres());
  });
  beforeEach(async () => {
    made = await make();
    database = await openDatabase(made.config);
    namespaces = new Namespaces(database, made.config);
  });
  afterEach(async () => {
    await Promise.all([database, ...opened.splice(0)].map((one) => one.close()));
    await made.cleanUp();
  });

  const asLogin = async ({ name, username, password }: Namespace): Promise<Database> => {
    const target = isMysql ? { database: name } : {};
    const own = await openDatabase({ ...made.config, ...target, username, password });
    opened.push(own);
    return own;
  };
  const logins = async ({ username }: Namespace): Promise<number> => {
    const sql = isMysql
      ? `SELECT 1 FROM information_schema.user_privileges WHERE grantee = '''${username}''@''%'''`
      : `SELECT 1 FROM pg_roles WHERE rolname = '${username}'`;
    return (await server.adminQuery(sql)).length;
  };
  const schemata = async ({ name }: Namespace): Promise<number> => {
    const sql = `SELECT 1 FROM information_schema.schemata WHERE schema_name = '${name}'`;
    return (await server.adminQuery(sql, made.config.database)).length;
  };

  it('are created repeatedly, with the latest password', async () => {
    const first = newNamespace();
    expect(await namespaces.isUsable(first)).toBe(false);
    await namespaces.make(first);
    await (await asLogin(first)).sequelize.query('CREATE TABLE kept (n INTEGER)');
    const second = { ...first, password: newNamespace().password };
    expect(await namespaces.isUsable(second)).toBe(false);
    await namespaces.make(second);
    expect(await namespaces.isUsable(first)).toBe(false);
    expect(await namespaces.isUsable(second)).toBe(true);
    expect(await (await asLogin(second)).select('SELECT n FROM kept')).toEqual([]);
    await namespaces.drop(second);
  });

  it('are completed if only some parts exist', async () => {
    const one = newNamespace();
    await namespaces.make(one);
    const drops = isMysql
      ? [`DROP DATABASE ${one.name}`, `REVOKE ALL, GRANT OPTION FROM '${one.username}'@'%'`]
      : [`DROP SCHEMA ${one.name}`];
    for (const sql of drops) await server.adminQuery(sql, made.config.database);
    expect(await namespaces.isUsable(one)).toBe(false);
    await namespaces.make(one);
    expect(await namespaces.isUsable(one)).toBe(true);
    await namespaces.drop(one);
  });

  it('are created and dropped concurrently', async () => {
    const many = Array.from({ length: 5 }, newNamespace);
    await Promise.all(many.map((one) => namespaces.make(one)));
    for (const one of many) expect(await namespaces.isUsable(one)).toBe(true);
    await Promise.all([...many, ...many].map((one) => namespaces.drop(one)));
    for (const one of many) expect([await logins(one), await schemata(one)]).toEqual([0, 0]);
  });

  it('are dropped with everything the login created, even while it is connected, and a second time', async () => {
    const one = newNamespace();
    await namespaces.make(one);
    const own = await asLogin(one);
    await own.sequelize.query('CREATE TABLE parent (id INTEGER PRIMARY KEY)');
    await own.sequelize.query('CREATE VIEW children AS SELECT id FROM parent');
    if (!isMysql) await own.sequelize.query('SELECT lo_create(0)');
    await namespaces.drop(one);
    expect([await logins(one), await schemata(one)]).toEqual([0, 0]);
    await namespaces.drop(one);
  });

  it('that never existed are dropped without an error', async () => {
    await expect(namespaces.drop(newNamespace())).resolves.toBeUndefined();
  });

  it('that are in use are kept, with the reason, and dropped later', async () => {
    const one = newNamespace();
    await namespaces.make(one);
    const other = await openDatabase({
      ...made.config,
      ...(isMysql ? { database: one.name } : {}),
    });
    opened.push(other);
    const table = isMysql ? 'held' : `${one.name}.held`;
    await other.sequelize.query(`CREATE TABLE ${table} (n INTEGER)`);
    await other.sequelize.transaction(async (transaction) => {
      await other.sequelize.query(`SELECT n FROM ${table}`, { transaction });
      await expect(namespaces.drop(one)).rejects.toMatchObject({ code: 'plugin_database_failed' });
    });
    await namespaces.drop(one);
    expect([await logins(one), await schemata(one)]).toEqual([0, 0]);
  });

  it('limit the connections of one login', async () => {
    const one = newNamespace();
    await namespaces.make(one);
    const found = isMysql
      ? await server.adminQuery(
          `SELECT JSON_VALUE(priv, '$.max_user_connections') AS n FROM mysql.global_priv WHERE user = '${one.username}'`,
        )
      : await server.adminQuery(
          `SELECT rolconnlimit AS n FROM pg_roles WHERE rolname = '${one.username}'`,
        );
    expect(found.map(({ n }) => Number(n))).toEqual([20]);
    await namespaces.drop(one);
  });

  it('are named in JDBC URLs with the encryption of the host', () => {
    const urlOf = (changes: Partial<DatabaseConfig>): string => {
      const at = { host: 'db.example', port: 99, database: 'host', ...changes };
      const config = { ...made.config, ...at };
      const namespace = { name: 'plugin_a', username: 'plugin_b', password: 'c' };
      return new Namespaces(database, config).jdbcUrlOf(namespace);
    };
    const sslCa = '/ca.pem';
    const urls = [urlOf({}), urlOf({ ssl: true }), urlOf({ ssl: true, sslCa, host: '::1' })];
    expect(urls).toEqual(
      isMysql
        ? [
            'jdbc:mysql://db.example:99/plugin_a',
            'jdbc:mysql://db.example:99/plugin_a?sslMode=REQUIRED',
            'jdbc:mysql://[::1]:99/plugin_a?sslMode=VERIFY_IDENTITY&serverSslCert=/ca.pem',
          ]
        : [
            'jdbc:postgresql://db.example:99/host?currentSchema=plugin_a',
            'jdbc:postgresql://db.example:99/host?sslmode=require&currentSchema=plugin_a',
            'jdbc:postgresql://[::1]:99/host?sslmode=verify-full&sslrootcert=/ca.pem&currentSchema=plugin_a',
          ],
    );
  });

  it('need certain privileges of the host and no others; a missing one is named', async () => {
    const user: LimitedUser = await makeLimitedUser(server);
    const one = newNamespace();
    const limited = async (work: (limited: Namespaces) => Promise<void>): Promise<void> => {
      const own = await openDatabase(user.config);
      await work(new Namespaces(own, user.config)).finally(() => own.close());
    };
    const lacking = (right: RegExp): Promise<void> =>
      limited(async (its) => {
        const error: unknown = await its.make(one).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({
          code: 'database_right_missing',
          message: expect.stringMatching(right) as unknown,
        });
        expect(inspect(error, { depth: 9 })).not.toMatch(
          new RegExp(`${one.password}|SCRAM|IDENTIFIED`),
        );
      });
    const grantTarget = '`plugin\\_%`.*';
    if (isMysql) {
      await lacking(/the privilege CREATE on/);
      await user.grant(`ALL ON ${grantTarget}`);
      await lacking(/the privilege CREATE USER/);
      await user.grant('CREATE USER ON *.*');
      await lacking(/the privilege GRANT OPTION/);
      await server.adminQuery(
        `GRANT ALL ON ${grantTarget} TO '${user.config.username}'@'%' WITH GRANT OPTION`,
      );
    } else {
      await lacking(/the privilege CREATEROLE/);
      await user.grant('CREATEROLE');
      const { database: name = '', username = '' } = user.config;
      await server.adminQuery(`ALTER DATABASE ${name} OWNER TO ${server.username}`);
      await server.adminQuery(`GRANT CONNECT ON DATABASE ${name} TO ${username}`);
      await lacking(/the privilege CREATE on the database/);
      await server.adminQuery(`ALTER DATABASE ${name} OWNER TO ${username}`);
    }
    await limited(async (its) => {
      await its.make(one);
      expect(await its.isUsable(one)).toBe(true);
      await its.drop(one);
    });
    expect(await logins(one)).toBe(0);
    await server.dropDatabase(user.config.database ?? '');
  });
});

describe('on PostgreSQL, a schema in which everyone can create objects', () => {
  let server: DatabaseServer;
  let user: LimitedUser;
  let database: Database;
  beforeAll(async () => {
    server = await databaseServers().postgres();
    user = await makeLimitedUser(server);
    await user.grant('CREATEROLE');
    database = await openDatabase(user.config);
  });
  afterAll(async () => {
    await database.close();
    await server.dropDatabase(user.config.database ?? '');
  });

  it('is closed before a plugin gets access, or the plugin gets none', async () => {
    const ask = (sql: string): Promise<unknown> => server.adminQuery(sql, user.config.database);
    const namespaces = new Namespaces(database, user.config);
    const one = newNamespace();
    await ask('GRANT CREATE ON SCHEMA public TO PUBLIC');
    await ask(`ALTER SCHEMA public OWNER TO ${server.username}`);
    await expect(namespaces.make(one)).rejects.toMatchObject({
      code: 'database_right_missing',
      message: expect.stringMatching(/REVOKE CREATE ON SCHEMA public FROM PUBLIC/) as unknown,
    });
    await ask(`ALTER SCHEMA public OWNER TO ${user.config.username ?? ''}`);
    await namespaces.make(one);
    expect(
      await ask(`SELECT has_schema_privilege('${one.username}', 'public', 'CREATE') AS may`),
    ).toEqual([{ may: false }]);
    await namespaces.drop(one);
  });
});
