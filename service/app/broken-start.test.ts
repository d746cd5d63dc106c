import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { QueryTypes } from 'sequelize';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api, SetupStatus } from '../contract/index.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { SqliteConnection } from '../platform/database/sqlite-file.ts';
import { createSecrets } from '../platform/secrets.ts';
import { startTestHost, type TestHost, type TestHostOptions } from '../testing/test-host.ts';
import { hostPaths, type HostPaths } from './index.ts';

let workDirectory: string;
let paths: HostPaths;
let test: TestHost | undefined;
/** 8 s, or more on a busy machine, where a start without any problem takes longer as well. */
let limitMs = 0;
beforeAll(async () => {
  const started = performance.now();
  await (await startTestHost({ setup: null })).close();
  limitMs = 8_000 + 10 * (performance.now() - started);
});
beforeEach(async () => {
  workDirectory = await mkdtemp(join(tmpdir(), 'broken-start-'));
  paths = hostPaths(workDirectory);
  await mkdir(paths.config, { recursive: true });
});
afterEach(async () => {
  await test?.stop();
  test = undefined;
  await rm(workDirectory, { recursive: true, force: true });
});

async function start(options: TestHostOptions = {}): Promise<TestHost> {
  await test?.stop();
  return (test = await startTestHost({ workDirectory, setup: null, ...options }));
}
const status = async (): Promise<SetupStatus> => test!.client.call(api.setup.status);
const configFiles = async (): Promise<string[]> =>
  (await readdir(paths.config)).filter((name) => name.startsWith('datasource')).sort();
const sqliteAt = (file: string): string => `db.type=SQLITE\ndb.url=jdbc:sqlite:${file}\n`;
const databaseFile = (): string => join(paths.database, 'host.db');

/** Creates a database of this host with one changed setting, and returns its configuration. */
async function makeGoodDatabase(): Promise<string> {
  const host = await start({ setup: 'SQLITE' });
  await host.client.call(api.settings.put, { body: { theme: 'dark' } });
  await host.stop();
  test = undefined;
  return readFile(paths.dataSource, 'utf8');
}

describe('an unreadable configuration', () => {
  const wrongKey = createSecrets('a key of another machine').encrypt('datasource', 'secret');
  const external = 'db.url=jdbc:postgresql://127.0.0.1:1/db\ndb.username=u\n';
  it.each<[string, string | Buffer, string]>([
    ['is empty', '', 'broken_configuration'],
    ['is blank', ' \n\n# a comment\n', 'broken_configuration'],
    [
      'is binary',
      Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 197) % 256)),
      'broken_configuration',
    ],
    ['is NUL bytes', Buffer.alloc(512), 'broken_configuration'],
    ['is 10 MB long', `db.type=SQLITE\ndb.url=${'x'.repeat(10_000_000)}\n`, 'broken_configuration'],
    ['names an unknown type', 'db.type=ORACLE\ndb.url=jdbc:oracle:x\n', 'broken_configuration'],
    ['names a type of every object', 'db.type=constructor\n', 'broken_configuration'],
    ['names no file', 'db.type=SQLITE\n', 'broken_configuration'],
    ['names no server', 'db.type=POSTGRESQL\ndb.url=nonsense\n', 'broken_configuration'],
    ['is cut short', 'db.type=SQLI', 'broken_configuration'],
    ['has a broken escape', 'db.type=\\u00', 'broken_configuration'],
    [
      'has a secret of another machine',
      `db.type=POSTGRESQL\n${external}db.password=${wrongKey}\n`,
      'secret_unreadable',
    ],
    [
      'has a secret that is none',
      `db.type=POSTGRESQL\n${external}db.password=ENC(AAAA)\n`,
      'secret_unreadable',
    ],
    [
      'names what this release lacks',
      `db.type=POSTGRESQL\n${external}db.password=\n`,
      'connection_failed',
    ],
  ])(
    'leads to SETUP with the reason, and is kept as it was, here and as a backup (R-07): it %s [SETUP-13, SETUP-14]',
    async (_, content, code) => {
      await writeFile(paths.dataSource, content);
      for (let launch = 0; launch < 3; launch += 1) {
        const started = performance.now();
        await start();
        expect(performance.now() - started).toBeLessThan(limitMs);
        expect(test!.host.mode()).toBe('SETUP');
        const { initialized, reason } = SetupStatus.strict().parse(await status());
        expect(initialized).toBe(false);
        expect(reason).toMatchObject({ code });
        expect(reason?.message).toMatch(/^[A-Z].*\.$/);
        expect(reason?.message).not.toContain(workDirectory);
        expect(await configFiles()).toEqual(['datasource.properties', 'datasource.properties.bak']);
        const files = await configFiles();
        for (const name of files)
          expect((await readFile(join(paths.config, name))).equals(Buffer.from(content))).toBe(
            true,
          );
        expect((await stat(`${paths.dataSource}.bak`)).mode & 0o777).toBe(0o600);
      }
      const again = await test!.ask('/api/setup/continue', { method: 'POST' });
      expect(again.status).toBe(422);
      expect(again.json()).toMatchObject({ code });
    },
  );

  it('is kept as a backup when another database is chosen', async () => {
    await writeFile(paths.dataSource, 'db.type=ORACLE\n');
    await start();
    await test!.client.call(api.setup.initialize, { body: { type: 'SQLITE' } });
    expect(test!.host.mode()).toBe('APP');
    await start();
    expect(test!.host.mode()).toBe('APP');
    expect(await readFile(`${paths.dataSource}.bak`, 'utf8')).toBe('db.type=ORACLE\n');
  });

  it('is left unchanged when the new choice fails [SETUP-08, SETUP-12]', async () => {
    const theirs = join(workDirectory, 'theirs.db');
    const other = await openDatabase({ type: 'SQLITE', filePath: theirs });
    await other.sequelize.query('CREATE TABLE settings (something INTEGER)');
    await other.close();
    await writeFile(paths.dataSource, 'db.type=ORACLE\n');
    await start();
    const untouched = (await stat(paths.dataSource)).ctimeMs;
    for (const filePath of ['.', theirs]) {
      const choice = { type: 'SQLITE', params: { filePath } } as const;
      await expect(test!.client.call(api.setup.initialize, { body: choice })).rejects.toMatchObject(
        { problem: { status: 422, code: 'connection_failed' } },
      );
      expect(test!.host.mode()).toBe('SETUP');
      expect(await readFile(paths.dataSource, 'utf8')).toBe('db.type=ORACLE\n');
      expect((await stat(paths.dataSource)).ctimeMs).toBe(untouched);
      expect(await configFiles()).toEqual(['datasource.properties', 'datasource.properties.bak']);
    }
  });

  it('does not prevent the start when it is a folder', async () => {
    await mkdir(paths.dataSource);
    await start();
    expect(test!.host.mode()).toBe('SETUP');
    expect((await status()).reason).toMatchObject({ code: 'broken_configuration' });
  });
});

describe('a database that cannot be used', () => {
  const spoil: Record<string, (file: string) => Promise<void>> = {
    'is a folder': (file) => mkdir(file).then(() => undefined),
    'is garbage': (file) => writeFile(file, 'no database. '.repeat(1_000)),
    'is a link in a circle': (file) => symlink(file, file),
    'is a link to a folder that is not there': (file) => symlink('/nowhere/at/all.db', file),
  };
  it.each(Object.keys(spoil))(
    'leads to SETUP; once it is repaired, continue leads back (R-05): it %s [SETUP-13, SETUP-14]',
    async (how) => {
      const before = await makeGoodDatabase();
      const good = await readFile(databaseFile());
      await rm(databaseFile());
      await spoil[how]?.(databaseFile());
      const started = performance.now();
      await start();
      expect(performance.now() - started).toBeLessThan(limitMs);
      expect(test!.host.mode()).toBe('SETUP');
      expect(await status()).toMatchObject({
        reason: { code: 'connection_failed' },
        previous: { type: 'SQLITE', backup: 'datasource.properties.bak' },
      });
      expect((await test!.ask('/api/setup/continue', { method: 'POST' })).status).toBe(422);
      expect(test!.host.mode()).toBe('SETUP');
      expect(await readFile(`${paths.dataSource}.bak`, 'utf8')).toBe(before);

      await rm(databaseFile(), { recursive: true });
      await writeFile(databaseFile(), good);
      const back = await test!.client.call(api.setup.continue);
      expect(back).toMatchObject({ initialized: true });
      expect((await test!.client.call(api.settings.get)).theme).toBe('dark');
      expect(await status()).not.toHaveProperty('reason');
      expect(await readFile(paths.dataSource, 'utf8')).toBe(before);
    },
  );

  it('a second failed start leaves the first backup as it is, also after a change of the file (R-05) [SETUP-14]', async () => {
    const first = sqliteAt(join(workDirectory, 'one'));
    const second = sqliteAt(join(workDirectory, 'two'));
    await mkdir(join(workDirectory, 'one'));
    await mkdir(join(workDirectory, 'two'));
    const expected: Record<string, string> = {};
    for (const [name, text] of [
      ['.bak', first],
      ['.bak.1', second],
      ['.bak.2', first],
    ] as const) {
      expected[`datasource.properties${name}`] = text;
      await writeFile(paths.dataSource, text);
      await start();
      await start();
      const backups = (await configFiles()).slice(1);
      expect(backups).toEqual(Object.keys(expected));
      for (const file of backups)
        expect(await readFile(join(paths.config, file), 'utf8')).toBe(expected[file]);
    }
  });

  it('is locked by another program: SETUP within 8 s, and back once it is free (R-05) [SETUP-13]', async () => {
    await makeGoodDatabase();
    const other = await SqliteConnection.open(databaseFile(), {
      create: false,
      pragmas: 'PRAGMA journal_mode=DELETE; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE;',
    });
    const started = performance.now();
    await start();
    expect(performance.now() - started).toBeLessThan(limitMs);
    expect(test!.host.mode()).toBe('SETUP');
    expect((await status()).reason).toMatchObject({
      code: 'connection_failed',
      message: 'The database file is open in another program. Close it and try again.',
    });
    await other.execute('ROLLBACK');
    await other.end();
    expect(await test!.client.call(api.setup.continue)).toMatchObject({ initialized: true });
    expect((await test!.client.call(api.settings.get)).theme).toBe('dark');
  });

  it('is of a newer host or another program: its tables are left unchanged, and the reason is reported', async () => {
    const file = join(workDirectory, 'other.db');
    const other = await openDatabase({ type: 'SQLITE', filePath: file });
    await other.sequelize.query('CREATE TABLE settings (something INTEGER)');
    await other.sequelize.query('INSERT INTO settings VALUES (7)');
    await other.close();
    await writeFile(paths.dataSource, sqliteAt(file));
    await start();
    expect(test!.host.mode()).toBe('SETUP');
    expect((await status()).reason).toMatchObject({ code: 'schema_foreign' });
    const again = await test!.ask('/api/setup/continue', { method: 'POST' });
    expect(again.status).toBe(422);
    expect(again.json()).toMatchObject({ code: 'schema_foreign' });
    await test!.stop();
    const reopened = await openDatabase({ type: 'SQLITE', filePath: file });
    const rows = await reopened.sequelize.query('SELECT * FROM settings', {
      type: QueryTypes.SELECT,
    });
    await reopened.close();
    expect(rows).toEqual([{ something: 7 }]);
  });
});

describe('a configuration made by hand', () => {
  it.each([
    ['with a relative file', () => 'db.type=sqlite\ndb.url=jdbc:sqlite:my.db\n', 'my.db'],
    [
      'with parameters behind the file',
      () => 'db.type = SQLITE\ndb.url = jdbc:sqlite:my.db?cache=shared\n',
      'my.db',
    ],
    [
      'with the file alone',
      () => `# by hand\r\ndb.type: SQLITE\r\ndb.file.path: ${join(workDirectory, 'my.db')}\r\n`,
      'my.db',
    ],
    ['with escapes', () => 'db.type=SQLITE\ndb.url=jdbc\\:sqlite\\:m\\u0079.db\n', 'my.db'],
  ])('is understood: %s', async (_, text, file) => {
    await writeFile(paths.dataSource, text());
    await start();
    expect(test!.host.mode()).toBe('APP');
    expect(await readdir(workDirectory)).toContain(file);
    expect(await readFile(paths.dataSource, 'utf8')).toBe(text());
  });
});

describe('the port', () => {
  it('is reported with advice when it is taken, or replaced by one that the system chooses', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as { port: number };
    await expect(start({ port: { number: port, fallback: false } })).rejects.toMatchObject({
      code: 'port_in_use',
    });
    await start({ port: { number: port, fallback: true } });
    expect(test!.port).not.toBe(port);
    expect((await test!.ask('/api/health')).status).toBe(200);
    holder.close();
  });

  it('is reported as soon as the server listens, and early requests wait until the service is ready', async () => {
    await makeGoodDatabase();
    const early: Promise<Response>[] = [];
    await start({
      onListening: (port) => early.push(fetch(`http://127.0.0.1:${port}/api/health`)),
    });
    expect((await Promise.all(early)).map((answer) => answer.status)).toEqual([200]);
  });
});

it('a working directory that cannot be created is reported as such', async () => {
  await writeFile(join(workDirectory, 'file'), '');
  await expect(
    start({ workDirectory: join(workDirectory, 'file', 'below') }),
  ).rejects.toMatchObject({
    code: 'ENOTDIR',
  });
  expect(dirname(paths.config)).toBe(paths.host);
});
