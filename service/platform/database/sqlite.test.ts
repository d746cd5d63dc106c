import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QueryTypes } from 'sequelize';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openDatabase, testDatabase } from './open-database.ts';
import { SqliteConnection } from './sqlite-file.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sqlite-'));
  file = join(folder, 'host.db');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (filePath = file): Promise<Database> => openDatabase({ type: 'SQLITE', filePath });
const test = (filePath = file): ReturnType<typeof testDatabase> =>
  testDatabase({ type: 'SQLITE', filePath });

async function select(database: Database, sql: string, transaction?: never): Promise<unknown> {
  const options = { type: QueryTypes.SELECT as const, transaction };
  const [row] = await database.sequelize.query<Record<string, unknown>>(sql, options);
  return Object.values(row ?? {})[0];
}

describe('an open database', () => {
  it('has committed data on disk, from transactions as well', async () => {
    const database = await open();
    const promised = { journal_mode: 'wal', synchronous: 2, busy_timeout: 5_000, foreign_keys: 1 };
    for (const [name, value] of Object.entries(promised))
      expect(await select(database, `PRAGMA ${name}`), name).toBe(value);
    await database.sequelize.transaction(async (transaction) => {
      for (const [name, value] of Object.entries(promised))
        expect(await select(database, `PRAGMA ${name}`, transaction as never), name).toBe(value);
    });
    expect(database).toMatchObject({
      type: 'SQLITE',
      serverVersion: expect.stringMatching(/^3\./) as unknown,
    });
    await database.close();
  });

  it('releases its files when it is closed', async () => {
    for (let round = 0; round < 3; round += 1) {
      const database = await open();
      await database.sequelize.query('CREATE TABLE IF NOT EXISTS kept (value TEXT)');
      await database.sequelize.transaction((transaction) =>
        database.sequelize.query('INSERT INTO kept VALUES (1)', { transaction }),
      );
      expect(await readdir(folder)).toContain('host.db-wal');
      await database.close();
      // The last connection that is closed removes the side files.
      expect(await readdir(folder)).toEqual(['host.db']);
    }
  });

  it('serializes concurrent writers', async () => {
    const [one, two] = [await open(), await open()];
    await one.sequelize.query('CREATE TABLE numbers (value INTEGER)');
    await one.sequelize.query('INSERT INTO numbers VALUES (0)');
    const add = async (database: Database): Promise<void> => {
      for (let i = 0; i < 20; i += 1) {
        await database.sequelize.transaction((transaction) =>
          database.sequelize.query('UPDATE numbers SET value = value + 1', { transaction }),
        );
      }
    };
    await Promise.all([add(one), add(two)]);
    expect(await select(one, 'SELECT value FROM numbers')).toBe(40);
    await Promise.all([one.close(), two.close()]);
  });
});

describe('the writer', () => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
    await database.sequelize.query(
      'CREATE TABLE kept (id INTEGER PRIMARY KEY, value INTEGER NOT NULL)',
    );
  });
  afterEach(() => database.close());
  const values = (): Promise<unknown[]> => database.select('SELECT value FROM kept ORDER BY value');

  it('is one connection, for statements and transactions alike', async () => {
    const opened: string[] = [];
    const open = SqliteConnection.open.bind(SqliteConnection);
    SqliteConnection.open = (...args) => (opened.push(args[0]), open(...args));
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((value) =>
        database.sequelize.transaction((transaction) =>
          database.sequelize.query(`INSERT INTO kept (value) VALUES (${value})`, { transaction }),
        ),
      ),
    ).finally(() => (SqliteConnection.open = open));
    expect(await values()).toHaveLength(6);
    expect(opened).toEqual([]);
  });

  it('keeps concurrent writes out of a transaction and its rollback', async () => {
    let beside: Promise<unknown> = Promise.resolve();
    const failing = database.sequelize.transaction(async (transaction) => {
      await database.sequelize.query('INSERT INTO kept (value) VALUES (1)', { transaction });
      beside = Promise.all([
        database.sequelize.query('INSERT INTO kept (value) VALUES (2)'),
        database.insert('kept', { value: 3 }),
      ]);
      expect(await values()).toEqual([]);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await beside;
    expect(await values()).toEqual([{ value: 2 }, { value: 3 }]);
  });

  it('continues after a transaction that failed at each of its steps', async () => {
    const { sequelize } = database;
    await expect(
      sequelize.transaction((transaction) => sequelize.query('no such words', { transaction })),
    ).rejects.toThrow(/syntax/);
    const transaction = await sequelize.transaction();
    await sequelize.query('ROLLBACK', { transaction });
    await expect(transaction.commit()).rejects.toThrow(/no transaction/);
    await database.insert('kept', { value: 1 });
    expect(await values()).toEqual([{ value: 1 }]);
  });

  it('stores concurrent rows with few commits, and only an invalid row fails', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => index);
    const results = await Promise.allSettled(
      rows.map((value) => database.insert('kept', { value: value === 250 ? null : value })),
    );
    const failed = results.filter(({ status }) => status === 'rejected');
    expect(failed).toHaveLength(1);
    const stored = results.flatMap((one, value) =>
      one.status === 'fulfilled' ? [{ id: one.value, value }] : [],
    );
    const found = await database.select('SELECT id, value FROM kept ORDER BY value');
    expect(found).toEqual(stored);
  });

  it('has written all rows when it is closed', async () => {
    const writes = Array.from({ length: 50 }, (_, value) => database.insert('kept', { value }));
    await database.close();
    await Promise.all(writes);
    database = await open();
    expect(await values()).toHaveLength(50);
  });

  it('refuses to write through the reading connection', async () => {
    await expect(database.select('DELETE FROM kept')).rejects.toThrow(/readonly/);
  });
});

describe('a database file that cannot be used', () => {
  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['a folder', () => mkdir(file), /is a folder/],
    ['not a database', () => writeFile(file, 'x'.repeat(8_192)), /is not an SQLite database/],
    [
      'behind a file',
      () => rm(folder, { recursive: true }).then(() => writeFile(folder, '')),
      /is not a folder/,
    ],
  ])('is said to be so, at once: %s', async (_, spoil, message) => {
    await spoil();
    const started = performance.now();
    await expect(open()).rejects.toMatchObject({
      kind: 'unprocessable',
      code: 'connection_failed',
      message: expect.stringMatching(message) as unknown,
    });
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('the test of a connection', () => {
  it('creates neither file nor folder', async () => {
    for (const path of [file, join(folder, 'a', 'b', 'c.db')])
      expect(await test(path)).toMatchObject({ success: true });
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves an existing file unchanged, byte for byte', async () => {
    const pragmas = 'PRAGMA journal_mode=DELETE; CREATE TABLE theirs (value TEXT)';
    const other = await SqliteConnection.open(file, { create: true, pragmas });
    await other.end();
    const before = await readFile(file);
    expect(await test()).toMatchObject({ success: true });
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(await readdir(folder)).toEqual(['host.db']);
  });

  it('of a missing folder is that of its nearest existing parent', async () => {
    await writeFile(join(folder, 'file'), '');
    const failed = await test(join(folder, 'file', 'below', 'x.db'));
    expect(failed).toMatchObject({
      success: false,
      message: expect.stringMatching(/not a folder/) as unknown,
    });
    await chmod(folder, 0o700);
    expect(await test(join(folder, 'new', 'x.db'))).toMatchObject({ success: true });
  });
});

describe('the schema', () => {
  it('is created once; a repetition changes nothing', async () => {
    const database = await open();
    await migrate(database);
    const schema = (): Promise<object[]> =>
      database.sequelize.query('SELECT type, name, sql FROM sqlite_master ORDER BY name', {
        type: QueryTypes.SELECT,
      });
    const first = await schema();
    const names = first.map((row) => (row as { name: string }).name);
    for (const table of ['notifications', 'plugins', 'seeded_plugins', 'settings', 'users'])
      expect(names).toContain(table);
    await migrate(database);
    expect(await schema()).toEqual(first);
    expect(await select(database, 'SELECT count(*) FROM users')).toBe(1);
    await database.close();
  });

  it('is completed if its creation was interrupted at any step', async () => {
    for (const lost of ['notifications', 'seeded_plugins', 'plugins', 'settings', null]) {
      const database = await open(join(folder, `${lost ?? 'all there'}.db`));
      await migrate(database);
      if (lost) await database.sequelize.query(`DROP TABLE ${lost}`);
      await database.sequelize.query('DELETE FROM "SequelizeMeta"');
      await migrate(database);
      expect(await select(database, 'SELECT count(*) FROM users')).toBe(1);
      if (lost) expect(await select(database, `SELECT count(*) FROM ${lost}`)).toBe(0);
      await database.close();
    }
  });
});
