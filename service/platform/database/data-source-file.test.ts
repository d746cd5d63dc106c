import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getProperties } from 'properties-file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecrets, type Secrets } from '../secrets.ts';
import { DataSourceFile } from './data-source-file.ts';
import type { DatabaseConfig } from './database-config.ts';
import { configOf, embeddedTypes, supportedTypes } from './database-types.ts';

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
      const { ssl: _, ...expected } = config;
      expect(await file.read()).toEqual(
        embeddedTypes.includes(type) ? expected : { ...expected, password: '' },
      );
    },
  );

  it('of an embedded type has the file, where it is asked for or in the default place [SETUP-17, SETUP-18, SETUP-28]', async () => {
    expect(supportedTypes).toEqual(['H2', 'SQLITE', 'MYSQL', 'POSTGRESQL']);
    expect(embeddedTypes).toEqual(['H2', 'SQLITE']);
    const folders = { workDirectory: folder, database: join(folder, '.host', 'database') };
    const places: [object, string, string][] = [
      [{}, join(folders.database, 'host'), join(folders.database, 'host.db')],
      [{ filePath: ' ' }, join(folders.database, 'host'), join(folders.database, 'host.db')],
      [{ filePath: 'x.sqlite' }, join(folder, 'x.sqlite'), join(folder, 'x.sqlite')],
      [{ filePath: 'ä b=c#:!.db' }, join(folder, 'ä b=c#:!'), join(folder, 'ä b=c#:!.db')],
    ];
    for (const [params, told, used] of places) {
      await file.write(configOf('SQLITE', params, folders));
      expect((await keys())['db.file.path']).toBe(told);
      expect(await file.read()).toEqual({ type: 'SQLITE', filePath: used });
    }
  });

  it('keeps user and password of a server, the password in no form that can be read [SETUP-26, SETUP-27, SECRET-01]', async () => {
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

  it('takes a password in the clear', async () => {
    await writeFile(
      path,
      'db.type=MYSQL\ndb.url=jdbc:mysql://h/d?useSSL=false\ndb.password=plain\n',
    );
    expect(await file.read()).toMatchObject({ password: 'plain', host: 'h', port: 3_306 });
  });

  it('cannot be read with another key of the machine [SECRET-11]', async () => {
    await file.write(server);
    const other = new DataSourceFile(path, createSecrets('a key of another machine'), folder);
    await expect(other.read()).rejects.toMatchObject({ code: 'secret_unreadable' });
  });

  it('leaves no draft beside it, also when many write at once', async () => {
    const configs = Array.from({ length: 20 }, (_, i) => ({ ...server, database: `d${i}` }));
    await Promise.all(configs.map((config) => file.write(config)));
    expect(await readdir(folder)).toEqual(['datasource.properties']);
    expect((await file.read())?.database).toMatch(/^d\d+$/);
  });

  it('that is not there is no error, nor is clearing it', async () => {
    expect(await file.read()).toBeNull();
    expect(await file.backUp()).toBeNull();
    expect(await file.newestBackup()).toBeNull();
    await file.clear();
  });
});

describe('a backup', () => {
  it('is the same bytes under the next free name, for the owner alone [SETUP-14, SETUP-15]', async () => {
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

  it('is not made again of the same bytes [SETUP-14]', async () => {
    await writeFile(path, 'same');
    const first = await file.backUp();
    expect(await file.backUp()).toBe(first);
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('is not mistaken for a file of another name', async () => {
    await writeFile(path, 'mine');
    for (const other of ['.bak~', '.bak.old', '.backup', '.bak.1.tmp'])
      await writeFile(path + other, 'theirs');
    expect(await file.backUp()).toBe('datasource.properties.bak');
    expect(await file.newestBackup()).toBe('datasource.properties.bak');
    for (const other of ['.bak~', '.bak.old', '.backup', '.bak.1.tmp'])
      expect(await readFile(path + other, 'utf8')).toBe('theirs');
  });
});
