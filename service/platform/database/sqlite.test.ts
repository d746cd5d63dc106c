import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QueryTypes } from 'sequelize';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openDatabase, testDatabase } from './open-database.ts';

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
  it('has on the disk what was committed, in transactions too', async () => {
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

  it('lets go of its files when it is closed', async () => {
    for (let round = 0; round < 3; round += 1) {
      const database = await open();
      await database.sequelize.query('CREATE TABLE IF NOT EXISTS kept (value TEXT)');
      await database.sequelize.transaction((transaction) =>
        database.sequelize.query('INSERT INTO kept VALUES (1)', { transaction }),
      );
      expect(await readdir(folder)).toContain('host.db-wal');
      await database.close();
      // The last connection that is closed takes these two with it.
      expect(await readdir(folder)).toEqual(['host.db']);
    }
  });

  it('keeps writers that come at the same time apart', async () => {
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

describe('a database file that cannot be used', () => {
  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['a folder', () => mkdir(file), /cannot be opened/],
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
  it('makes neither file nor folder', async () => {
    for (const path of [file, join(folder, 'a', 'b', 'c.db')])
      expect(await test(path)).toMatchObject({ success: true });
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves an existing file byte for byte as it is', async () => {
    const other = await open();
    await other.sequelize.query('PRAGMA journal_mode=DELETE');
    await other.sequelize.query('CREATE TABLE theirs (value TEXT)');
    await other.close();
    const before = await readFile(file);
    expect(await test()).toMatchObject({ success: true });
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(await readdir(folder)).toEqual(['host.db']);
  });

  it('of a folder that is not there looks at the nearest one that is', async () => {
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
  it('is made once; a second time changes nothing', async () => {
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

  it('is completed when its making was cut off, at whichever step', async () => {
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
