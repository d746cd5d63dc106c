import { execFile } from 'node:child_process';
import { textOf } from '../../../messages/index.ts';
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import type { DatabaseConfig } from '../database-config.ts';
import { runH2Shell } from '../../../testing/h2-shell.ts';
import { createH2 } from './h2.ts';
import type { H2Paths } from './h2-runtime.ts';
import {
  bridgeDirectory,
  bridgePids,
  h2,
  createH2TestFolder,
  type H2TestFolder,
  h2Paths,
} from './testing/h2-fixture.ts';
import { expectNoBridgeProcess } from './testing/expect-no-bridge-process.ts';

let testFolder: H2TestFolder;
let config: DatabaseConfig;
beforeEach(async () => {
  testFolder = await createH2TestFolder();
  config = { type: 'H2', filePath: testFolder.filePath };
});
afterEach(async () => {
  await testFolder[Symbol.asyncDispose]();
  await expectNoBridgeProcess();
});

const failure = (message: RegExp): object => ({
  kind: 'unprocessable',
  code: 'connection_failed',
  message: expect.stringMatching(message) as unknown,
});

async function made(): Promise<void> {
  const database = await h2.open({ ...config, username: 'someone', password: `p'"; ä` });
  await database.sequelize.query('CREATE TABLE kept (n INTEGER)');
  await database.sequelize.query('INSERT INTO kept VALUES (7)');
  await database.close();
}
const login = { username: 'someone', password: `p'"; ä` };
const fileOf = (path: string): string => `${path}.mv.db`;

describe('opening', () => {
  it('creates folder and file, and returns the version', async () => {
    const filePath = join(testFolder.folder, 'new', 'ä b', 'x');
    const database = await h2.open({ ...config, filePath });
    expect(database).toMatchObject({ type: 'H2', serverVersion: '2.1.214' });
    await database.close();
    expect(await readdir(join(testFolder.folder, 'new', 'ä b'))).toEqual(['x.mv.db']);
    expect((await stat(join(testFolder.folder, 'new'))).mode & 0o777).toBe(0o700);
  });

  it('accepts the name of the file with and without its extension', async () => {
    await made();
    const database = await h2.open({ ...config, ...login, filePath: fileOf(testFolder.filePath) });
    expect(await database.select('SELECT n FROM kept')).toEqual([{ n: 7 }]);
    await database.close();
    expect(await readdir(testFolder.folder)).toEqual(['host.mv.db']);
  });

  it('opens a file of another program, however it folds names', async () => {
    const objects = `CREATE TABLE mine (id IDENTITY, small TINYINT, large BLOB, name VARCHAR(9));
      CREATE INDEX by_name ON mine (name); CREATE VIEW names AS SELECT UPPER(name) AS n FROM mine;
      INSERT INTO mine (name) VALUES ('b'), (NULL), ('a')`;
    const all = 'SELECT name FROM mine ORDER BY name NULLS LAST; SELECT n FROM names';
    const files = [
      ['', 'upper'],
      [';DATABASE_TO_UPPER=FALSE', 'upper'],
      [';CASE_INSENSITIVE_IDENTIFIERS=TRUE', 'upper'],
      [';DATABASE_TO_LOWER=TRUE', 'lower'],
      [';MODE=MySQL;DATABASE_TO_LOWER=TRUE', 'lower'],
    ] as const;
    for (const [index, [settings, folding]] of files.entries()) {
      const filePath = join(testFolder.folder, `foreign${index}`);
      const url = `jdbc:h2:file:${filePath}${settings}`;
      await runH2Shell(url, objects.replace('IDENTITY', 'BIGINT GENERATED ALWAYS AS IDENTITY'));
      const before = await runH2Shell(url, all);
      const bytes = await readFile(fileOf(filePath));
      expect(await h2.try({ ...config, filePath })).toMatchObject({ version: '2.1.214' });
      expect((await readFile(fileOf(filePath))).equals(bytes), settings).toBe(true);
      const database = await h2.open({ ...config, filePath });
      expect(database.folding, settings).toBe(folding);
      await database.sequelize.query('CREATE TABLE "kept" ("id" SERIAL PRIMARY KEY, "n" INTEGER)');
      expect(await database.insert('kept', { n: 7 })).toBe(1);
      expect(await database.select('SELECT n FROM kept')).toEqual([{ n: 7 }]);
      await database.close();
      expect(withoutTimes(await runH2Shell(url, all)), settings).toBe(withoutTimes(before));
      expect(await runH2Shell(url, 'SELECT * FROM "kept"')).toContain('n');
    }
  });

  it.each<[string, () => Promise<Partial<DatabaseConfig> | undefined>, RegExp]>([
    [
      'a wrong password',
      () => made().then(() => ({ username: 'someone', password: 'no' })),
      /password of the H2 database is wrong/,
    ],
    [
      'a wrong user',
      () => made().then(() => ({ ...login, username: 'nobody' })),
      /password of the H2 database is wrong/,
    ],
    [
      'a file of something else',
      () => writeFile(fileOf(testFolder.filePath), 'x'.repeat(20_000)).then(() => undefined),
      /another version of H2, or is not an H2 database|damaged/,
    ],
    [
      'a damaged file',
      () =>
        made()
          .then(() => damage(fileOf(testFolder.filePath)))
          .then(() => login),
      /damaged/,
    ],
    [
      'a truncated file',
      () =>
        made()
          .then(() => truncate(fileOf(testFolder.filePath), 8_192))
          .then(() => login),
      /damaged/,
    ],
    ['a folder', () => mkdir(fileOf(testFolder.filePath)).then(() => undefined), /is a folder/],
    [
      'a folder that is a file',
      () => Promise.resolve({ filePath: join(process.execPath, 'x') }),
      /is not a folder/,
    ],
    [
      'settings in the name',
      () => Promise.resolve({ filePath: `${testFolder.filePath};INIT=CREATE USER eve` }),
      /semicolon/,
    ],
    [
      'a second line in the name',
      () => Promise.resolve({ filePath: `${testFolder.filePath}\nx` }),
      /one line/,
    ],
    [
      'a backslash in the name',
      () => Promise.resolve({ filePath: `${testFolder.filePath}\\x` }),
      /backslash/,
    ],
    [
      'a name that is too long',
      () => Promise.resolve({ filePath: join(testFolder.folder, 'x'.repeat(254)) }),
      /too long/,
    ],
  ])('fails with the reason: %s', async (_, spoil, message) => {
    const spoiled = { ...config, ...(await spoil()) };
    await expect(h2.open(spoiled)).rejects.toMatchObject(failure(message));
    await expect(h2.try(spoiled)).rejects.toMatchObject(failure(message));
  });

  it('fails soon with the reason: a folder that cannot be made', async () => {
    const nowhere = { ...config, filePath: '/proc/nowhere/x' };
    await expect(h2.open(nowhere)).rejects.toMatchObject(failure(/cannot be (created|written)/));
  });

  it('never contains the password', async () => {
    await made();
    const error = await h2
      .open({ ...config, ...login, password: 'hunter2' })
      .catch((e: unknown) => e as Error);
    expect(JSON.stringify([error, (error as Error).message, (error as Error).cause])).not.toContain(
      'hunter2',
    );
  });

  it('has no password among the arguments of a process', async () => {
    const database = await h2.open({ ...config, password: 'hunter2' });
    const [pid = 0] = await bridgePids();
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1');
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1');
    await database.close();
    expect(command).toContain('H2Bridge');
    expect(command + environment).not.toContain('hunter2');
  });

  it('of a file that another program has locked waits a little, then reports it', async () => {
    const holder = await h2.open(config);
    const started = performance.now();
    await expect(h2.open(config)).rejects.toMatchObject(failure(/open in another program/));
    expect(performance.now() - started).toBeGreaterThan(2_000);
    await holder.close();
  });

  it('of a file that is released meanwhile succeeds', async () => {
    const holder = await h2.open(config);
    const release = async (): Promise<void> => {
      await expect.poll(async () => (await bridgePids()).length).toBe(2);
      await holder.close();
    };
    const [database] = await Promise.all([h2.open(config), release()]);
    expect(await database.select('SELECT 1 AS n')).toEqual([{ n: 1 }]);
    await database.close();
  });
});

describe('the test of a connection', () => {
  it('creates neither file nor folder', async () => {
    expect(await h2.try(config)).toEqual({
      version: '2.1.214',
      applied: [],
      columns: [],
    });
    expect(await h2.try({ ...config, filePath: join(testFolder.folder, 'a', 'b') })).toMatchObject({
      version: '2.1.214',
    });
    expect(await readdir(testFolder.folder)).toEqual([]);
  });

  it('leaves an existing file unchanged, byte for byte', async () => {
    await made();
    const before = await readFile(fileOf(testFolder.filePath));
    expect(await h2.try({ ...config, ...login })).toMatchObject({ version: '2.1.214' });
    await expect(h2.try(config)).rejects.toMatchObject(failure(/password/));
    expect((await readFile(fileOf(testFolder.filePath))).equals(before)).toBe(true);
    expect(await readdir(testFolder.folder)).toEqual(['host.mv.db']);
  });

  it('of the database that this host has open checks only the user', async () => {
    const database = await h2.open({ ...config, ...login });
    expect(await h2.try({ ...config, ...login })).toMatchObject({ version: '2.1.214' });
    await expect(h2.try(config)).rejects.toMatchObject(failure(/password/));
    expect(await database.select('SELECT 1 AS n')).toEqual([{ n: 1 }]);
    await database.close();
  });
});

describe('a machine without', () => {
  const unavailable = async (overrides: Partial<H2Paths>): Promise<string | null> => {
    const missing = createH2({ ...h2Paths, ...overrides });
    const reason = await missing.unavailable();
    const sentence = reason && textOf(reason);
    if (sentence !== null)
      await expect(missing.open(config)).rejects.toMatchObject(
        failure(new RegExp(sentence.slice(0, 20))),
      );
    return sentence;
  };

  it('nothing missing can use H2', async () => {
    expect(await h2.unavailable()).toBeNull();
  });

  it('Java reports how to install it', async () => {
    const { PATH, JAVA_HOME } = process.env;
    process.env['PATH'] = testFolder.folder;
    delete process.env['JAVA_HOME'];
    try {
      expect(await unavailable({})).toMatch(/Java 17 .* apt install default-jre-headless/);
    } finally {
      process.env['PATH'] = PATH;
      if (JAVA_HOME !== undefined) process.env['JAVA_HOME'] = JAVA_HOME;
    }
  });

  it('the jar of the property is reported', async () => {
    expect(await unavailable({ jarProperty: join(testFolder.folder, 'h2.jar') })).toMatch(
      /host\.h2\.jar/,
    );
  });

  it('the bridge is reported', async () => {
    expect(await unavailable({ bridgeDirectory: null })).toMatch(/does not include the H2 bridge/);
    expect(await unavailable({ bridgeDirectory: testFolder.folder })).toMatch(
      /does not include the H2 bridge/,
    );
  });
});

describe('a jar', () => {
  it('of another version is refused with both versions', async () => {
    const classes = join(testFolder.folder, 'classes');
    const source = join(testFolder.folder, 'Constants.java');
    await writeFile(
      source,
      'package org.h2.engine; public class Constants { public static final String VERSION = "9.9.9"; }',
    );
    await promisify(execFile)('javac', ['-d', classes, source]);
    const other = createH2({ ...h2Paths, jarProperty: classes });
    const both = failure(/2\.1\.214 .* 9\.9\.9/);
    await expect(other.open(config)).rejects.toMatchObject(both);
    await expect(other.try(config)).rejects.toMatchObject(both);
    expect(await readdir(testFolder.folder)).not.toContain(basename(fileOf(testFolder.filePath)));
  });

  it('that is invalid is refused', async () => {
    const jar = join(testFolder.folder, 'h2.jar');
    await writeFile(jar, 'no jar');
    const broken = createH2({ ...h2Paths, jarProperty: jar });
    await expect(broken.open(config)).rejects.toMatchObject(failure(/found no H2 library/));
  });

  it('next to the bridge takes precedence over that of the system', async () => {
    const folder = join(testFolder.folder, 'bridge');
    await promisify(execFile)('cp', ['-r', bridgeDirectory, folder]);
    await writeFile(join(folder, 'h2.jar'), 'no jar');
    const own = createH2({ ...h2Paths, bridgeDirectory: folder });
    await expect(own.try(config)).rejects.toMatchObject(failure(/found no H2 library/));
  });
});

describe('a closed database', () => {
  it('has no running work, and accepts none', async () => {
    const database: Database = await h2.open(config);
    await database.select('SELECT 1');
    await database.close();
    expect(await bridgePids()).toEqual([]);
    await expect(database.select('SELECT 1')).rejects.toThrow();
    await rm(fileOf(testFolder.filePath));
  });

  it('can be closed while a query runs', async () => {
    const database = await h2.open(config);
    const slow = database.select(
      'SELECT count(*) FROM system_range(1, 1000000000000) WHERE MOD("X", 2) = 2',
    );
    const refused = expect(slow).rejects.toThrow();
    await database.select('SELECT 1');
    await database.close();
    await refused;
    expect(await bridgePids()).toEqual([]);
  });
});

const withoutTimes = (text: string): string => text.replaceAll(/\d+ ms/g, '');

/** Overwrites everything after the two headers: H2 then finds no data, and no error either. */
async function damage(file: string): Promise<void> {
  const content = await readFile(file);
  await writeFile(file, content.fill(0x5a, 8_192));
}
