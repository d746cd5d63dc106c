import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getProperties } from 'properties-file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecrets, type Secrets } from '../secrets.ts';
import { DataSourceFile } from './data-source-file.ts';
import type { DatabaseConfig } from './database-config.ts';
import { configOf } from './database-params.ts';
import { embeddedTypes, supportedTypes } from './database-types.ts';

const machineKey = 'a key of this machine';
let folder: string;
let path: string;
let secrets: Secrets;
let file: DataSourceFile;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-source-'));
  path = join(folder, 'datasource.properties');
  secrets = createSecrets(machineKey);
  file = new DataSourceFile(path, secrets, folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const keys = async (): Promise<Record<string, string>> =>
  getProperties(await readFile(path, 'utf8'));
const server: DatabaseConfig = {
  type: 'POSTGRESQL',
  host: 'db.example.org',
  port: 5_433,
  database: 'host',
  username: 'someone',
  password: 'hunter2 = #1 \\ "ä"\u{1f511}',
  ssl: false,
};

describe('the configuration file', () => {
  it.each([
    ['H2', 'jdbc:h2:file:', 'org.h2.Driver', 'org.hibernate.dialect.H2Dialect'],
    ['SQLITE', 'jdbc:sqlite:', 'org.sqlite.JDBC', 'org.hibernate.community.dialect.SQLiteDialect'],
    ['MYSQL', 'jdbc:mysql:', 'com.mysql.cj.jdbc.Driver', 'org.hibernate.dialect.MySQLDialect'],
    [
      'POSTGRESQL',
      'jdbc:postgresql:',
      'org.postgresql.Driver',
      'org.hibernate.dialect.PostgreSQLDialect',
    ],
  ] as const)(
    'names the driver of %s [SETUP-18, SETUP-23, SETUP-24, SETUP-25]',
    async (type, prefix, driver, dialect) => {
      const folders = { workDirectory: folder, database: join(folder, 'database') };
      const config = configOf(type, { host: 'h', database: 'd', username: 'u' }, folders);
      await file.write(config);
      const written = await keys();
      expect(written).toMatchObject({
        'db.type': type,
        'db.driver': driver,
        'db.dialect': dialect,
      });
      expect(written['db.url']?.startsWith(prefix)).toBe(true);
      expect(await file.read()).toEqual(config);
    },
  );

  it('of an embedded type has the file at the requested or the default path [SETUP-17, SETUP-18, SETUP-28]', async () => {
    expect(supportedTypes).toEqual(['H2', 'SQLITE', 'MYSQL', 'POSTGRESQL']);
    expect(embeddedTypes).toEqual(['H2', 'SQLITE']);
    const folders = { workDirectory: folder, database: join(folder, '.host', 'database') };
    const cases: [object, string, string][] = [
      [{}, join(folders.database, 'host'), join(folders.database, 'host.db')],
      [{ filePath: ' ' }, join(folders.database, 'host'), join(folders.database, 'host.db')],
      [{ filePath: 'x.sqlite' }, join(folder, 'x.sqlite'), join(folder, 'x.sqlite')],
      [{ filePath: 'ä b=c#:!.db' }, join(folder, 'ä b=c#:!'), join(folder, 'ä b=c#:!.db')],
    ];
    for (const [params, writtenPath, used] of cases) {
      await file.write(configOf('SQLITE', params, folders));
      expect((await keys())['db.file.path']).toBe(writtenPath);
      expect(await file.read()).toEqual({ type: 'SQLITE', filePath: used });
    }
  });

  it('stores user and password of a server, the password encrypted [SETUP-26, SETUP-27, SECRET-01]', async () => {
    await file.write(server);
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain('hunter2');
    const written = await keys();
    expect(written['db.username']).toBe('someone');
    expect(written['db.password']).toMatch(/^ENC\([A-Za-z0-9+/]+={0,2}\)$/);
    expect(secrets.decrypt('datasource', written['db.password'] ?? '')).toBe(server.password);
    expect(await file.read()).toEqual(server);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('encrypts the same password differently each time', async () => {
    const seen = new Set<string | undefined>();
    for (let i = 0; i < 5; i += 1) {
      await file.write(server);
      seen.add((await keys())['db.password']);
    }
    expect(seen.size).toBe(5);
  });

  it.each(['MYSQL', 'POSTGRESQL'] as const)(
    'stores the encryption of the connection and an unusual address: %s',
    async (type) => {
      for (const params of [
        { ssl: true },
        { ssl: true, sslCa: join(folder, 'my ca & co.pem') },
        { host: '::1', database: 'my däta', username: 'ü ser', password: '' },
      ]) {
        const config = { ...server, type, ...params };
        await file.write(config);
        expect(await readFile(path, 'utf8')).toMatch(/^[\x20-\x7e\n]+$/);
        expect(await file.read()).toEqual(config);
      }
    },
  );

  it('of H2 stores the user and the password', async () => {
    const config = { type: 'H2', filePath: join(folder, 'h2') } as const;
    for (const user of [
      { username: 'sa', password: '' },
      { username: 'someone', password: 'p;w' },
    ]) {
      await file.write({ ...config, ...user });
      expect((await keys())['db.username']).toBe(user.username);
      expect(await file.read()).toEqual({ ...config, ...user });
    }
  });

  it('cannot be read with another machine key [SECRET-11]', async () => {
    await file.write(server);
    const other = new DataSourceFile(path, createSecrets('a key of another machine'), folder);
    await expect(other.read()).rejects.toMatchObject({
      code: 'secret_unreadable',
      message: expect.stringContaining('the password must be entered again') as unknown,
    });
    expect(await other.type()).toBe('POSTGRESQL');
    await other.protect();
    expect(await file.read()).toEqual(server);
  });

  it('of an embedded type without a password needs no key', async () => {
    const other = new DataSourceFile(path, createSecrets('a key of another machine'), folder);
    const sqlite = { type: 'SQLITE', filePath: join(folder, 'x.db') } as const;
    await file.write(sqlite);
    expect(await other.read()).toEqual(sqlite);
    const h2 = { type: 'H2', filePath: join(folder, 'x'), username: 'sa', password: '' } as const;
    await file.write(h2);
    expect(await other.read()).toEqual(h2);
    await file.write({ ...h2, password: 'p' });
    await expect(other.read()).rejects.toMatchObject({ code: 'secret_unreadable' });
    expect(await other.type()).toBe('H2');
  });

  it('leaves no temporary file, even with concurrent writes', async () => {
    const configs = Array.from({ length: 20 }, (_, i) => ({ ...server, database: `d${i}` }));
    await Promise.all(configs.map((config) => file.write(config)));
    expect(await readdir(folder)).toEqual(['datasource.properties']);
    expect((await file.read())?.database).toMatch(/^d\d+$/);
  });

  it('may be missing, and deleting a missing file succeeds', async () => {
    expect(await file.read()).toBeNull();
    expect(await file.backUp()).toBeNull();
    expect(await file.newestBackup()).toBeNull();
    await file.clear();
  });
});

describe('a plain text password', () => {
  const postgres = 'db.type=POSTGRESQL\ndb.url=jdbc:postgresql://h/d\n';
  const config = { ...server, host: 'h', port: 5_432, database: 'd', username: '' };
  const text = (): Promise<string> => readFile(path, 'utf8');

  it('is accepted and encrypted in place; nothing else in the file changes', async () => {
    const before = [
      '\ufeff# by hand, é\r\n',
      'db.type : POSTGRESQL\n',
      '  db.url = jdbc\\:postgresql://h/d\\\n     ?ApplicationName=x\n',
      'pool.size\t10\n\n',
      'db.password=',
    ].join('');
    await writeFile(path, `${before}pl\\\n  ain é\r\n! the end`);
    expect(await file.read()).toEqual({ ...config, password: 'plain é' });
    await file.protect();
    const after = await text();
    expect(after.startsWith(before)).toBe(true);
    expect(after.slice(before.length)).toMatch(/^ENC\([\w+/\\=]+\)\r\n! the end$/);
    expect(await file.read()).toEqual({ ...config, password: 'plain é' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await file.protect();
    expect(await text()).toBe(after);
  });

  it('in ISO-8859-1 is accepted, and the other bytes stay the same', async () => {
    const bytes = (line: string): Buffer => Buffer.from(`# \xe4\xf6\n${postgres}${line}`, 'latin1');
    await writeFile(path, bytes('db.password=s\xe9cret\n'));
    await file.protect();
    expect(await file.read()).toEqual({ ...config, password: 's\xe9cret' });
    const after = await readFile(path);
    expect(after.subarray(0, bytes('').length).equals(bytes(''))).toBe(true);
  });

  it.each<[string, string, Partial<DatabaseConfig>]>([
    ['?user=u&password=top%20secret&sslmode=require', '', { username: 'u', ssl: true }],
    ['?password=top%20secret', 'db.username=me\ndb.password=\n', { username: 'me' }],
  ])('in the URL moves to its key: %s', async (query, lines, expected) => {
    await writeFile(path, `${postgres.trim()}${query}\n${lines}`);
    const expectedConfig = { ...config, ...expected, password: 'top secret' };
    expect(await file.read()).toEqual(expectedConfig);
    await file.protect();
    expect(await file.read()).toEqual(expectedConfig);
    expect(await text()).not.toMatch(/top|password=[^E]/);
    expect(secrets.decrypt('datasource', (await keys())['db.password'] ?? '')).toBe('top secret');
  });

  it('in front of the host in the URL is encrypted as well, also for H2', async () => {
    await writeFile(path, 'db.type=MYSQL\ndb.url=jdbc:mariadb://u:secret@h/d\n');
    await file.protect();
    expect((await keys())['db.url']).toBe('jdbc:mariadb://u@h/d');
    expect(await file.read()).toMatchObject({ type: 'MYSQL', username: 'u', password: 'secret' });
    await writeFile(path, 'db.type=H2\ndb.url=jdbc:h2:file:/x;USER=u;PASSWORD=secret\n');
    await file.protect();
    expect((await keys())['db.url']).toBe('jdbc:h2:file:/x;USER=u');
    expect(await file.read()).toMatchObject({ filePath: '/x', username: 'u', password: 'secret' });
  });

  it('that occurs twice is removed from both places; the last one counts', async () => {
    await writeFile(path, `db.password=old\n${postgres.trim()}?password=other\ndb.password=new\n`);
    await file.protect();
    expect(await text()).not.toMatch(/old|other|new/);
    expect(await file.read()).toEqual({ ...config, password: 'new' });
  });

  it('is not part of a backup', async () => {
    await writeFile(path, `${postgres}db.password=secret\n`);
    const name = await file.backUp();
    expect(await readFile(join(folder, name ?? ''), 'utf8')).toBe(await text());
    const undo = await file.replace(server);
    await undo();
    expect(await file.read()).toMatchObject({ host: 'h', password: 'secret' });
    for (const each of await readdir(folder))
      expect(await readFile(join(folder, each), 'utf8'), each).not.toContain('secret');
  });

  it('stays in a file that cannot be parsed', async () => {
    for (const broken of ['db.type=ORACLE\ndb.password=x\n', 'db.password=\\u00', '\0']) {
      await writeFile(path, broken);
      await file.protect();
      expect(await text()).toBe(broken);
    }
  });
});

describe('the input of the form', () => {
  const choose = (type: DatabaseConfig['type'], params: object): DatabaseConfig =>
    configOf(
      type,
      { host: 'h', database: 'd', username: 'u', ...params },
      { workDirectory: folder, database: folder },
    );
  const refused = (type: DatabaseConfig['type'], params: object): unknown => {
    try {
      return choose(type, params);
    } catch (error) {
      const { kind, errors } = error as { kind: string; errors: { path: string }[] };
      return [kind, ...errors.map((each) => each.path)];
    }
  };

  it.each([
    ['host', 'a/b'],
    ['host', 'a?b'],
    ['host', 'a#b'],
    ['host', 'a;b'],
    ['host', 'a&b'],
    ['host', 'a b'],
    ['host', 'a\nb'],
    ['host', 'u@h'],
    ['host', 'h:3306'],
    ['host', 'a,b'],
    ['host', '[::1'],
    ['host', ' '],
    ['database', 'a/b'],
    ['database', 'a?b'],
    ['database', 'a;b'],
    ['database', 'a\0b'],
    ['database', '\ud800'],
    ['database', ' d'],
    ['username', 'a\nb'],
    ['sslCa', 'a\0b'],
  ])('cannot be written and is refused: %s %j', (name, value) => {
    for (const type of ['MYSQL', 'POSTGRESQL'] as const)
      expect(refused(type, { [name]: value })).toEqual(['invalid', `params.${name}`]);
  });

  it('of H2 must not have ; in its path', () => {
    expect(refused('H2', { filePath: 'a;b' })).toEqual(['invalid', 'params.filePath']);
    expect(choose('SQLITE', { filePath: 'a;b' }).filePath).toBe(join(folder, 'a;b'));
    expect(choose('H2', {})).toMatchObject({ filePath: join(folder, 'host'), username: 'u' });
    expect(choose('H2', { username: '' })).toMatchObject({ username: 'sa', password: '' });
  });

  it.each(['h', ' h ', 'db-1.example.org', 'a_b', 'münchen.example', '10.0.0.7', '::1', '[::1]'])(
    'may be a host: "%s"',
    (host) => {
      expect(choose('MYSQL', { host }).host).toBe(host.trim().replace(/[[\]]/g, ''));
    },
  );

  it('with a certificate implies an encrypted connection', () => {
    expect(choose('MYSQL', { ssl: false, sslCa: 'ca.pem' })).toMatchObject({
      ssl: true,
      sslCa: join(folder, 'ca.pem'),
    });
    expect(choose('MYSQL', { sslCa: ' ' })).not.toHaveProperty('sslCa');
  });
});

describe('a backup', () => {
  it('has the same bytes under the next free name, readable only by the owner [SETUP-14, SETUP-15]', async () => {
    const names: (string | null)[] = [];
    for (let i = 0; i < 12; i += 1) {
      await writeFile(path, `# ${i}\n`, { mode: 0o644 });
      names.push(await file.backUp());
      expect((await stat(join(folder, names[i] ?? ''))).mode & 0o777).toBe(0o600);
    }
    expect(names.slice(0, 3)).toEqual([
      'datasource.properties.bak',
      'datasource.properties.bak.1',
      'datasource.properties.bak.2',
    ]);
    expect(names[11]).toBe('datasource.properties.bak.11');
    for (const [i, name] of names.entries())
      expect(await readFile(join(folder, name ?? ''), 'utf8')).toBe(`# ${i}\n`);
    expect(await file.newestBackup()).toBe('datasource.properties.bak.11');
  });

  it('is not repeated for the same bytes [SETUP-14]', async () => {
    await writeFile(path, 'same');
    const first = await file.backUp();
    expect(await file.backUp()).toBe(first);
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('is not confused with a file of another name', async () => {
    await writeFile(path, 'mine');
    for (const other of ['.bak~', '.bak.old', '.backup', '.bak.1.tmp'])
      await writeFile(path + other, 'theirs');
    expect(await file.backUp()).toBe('datasource.properties.bak');
    expect(await file.newestBackup()).toBe('datasource.properties.bak');
    for (const other of ['.bak~', '.bak.old', '.backup', '.bak.1.tmp'])
      expect(await readFile(path + other, 'utf8')).toBe('theirs');
  });
});
