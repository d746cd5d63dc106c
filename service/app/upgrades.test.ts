import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../contract/index.ts';
import { DataSourceFile } from '../platform/database/data-source-file.ts';
import type { Database } from '../platform/database/database.ts';
import { migrate, migrations } from '../platform/database/migrate.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { createSecrets } from '../platform/secrets.ts';
import { sqliteDatabase } from '../testing/database-servers/index.ts';
import {
  allRows,
  fixtureOf,
  hashesFile,
  hashOf,
  storedHashes,
  sampleRows,
  withoutNewColumns,
} from '../testing/released-schemas.ts';
import { startTestHost } from '../testing/test-host.ts';
import { describeUpgrades } from '../testing/upgrade-behaviour.ts';
import { hostPaths } from './index.ts';

const names = migrations.map(({ name }) => name);
const keep = 'node service/testing/keep-schemas.ts keeps the schema of a new migration';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upgrades-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function withFixture<T>(name: string, use: (database: Database) => Promise<T>): Promise<T> {
  const filePath = join(folder, 'host.db');
  await copyFile(fixtureOf(name), filePath);
  const database = await openDatabase({ type: 'SQLITE', filePath });
  return use(database).finally(() => database.close());
}

describe('a released migration', () => {
  it('has a stored schema, and no other schema is stored', async () => {
    const stored = (await readdir(dirname(hashesFile))).filter((file) => file.endsWith('.db'));
    expect(stored.sort(), keep).toEqual(names.map((name) => `${name}.db`).sort());
    expect(Object.keys(await storedHashes()).sort(), keep).toEqual([...names].sort());
  });

  it.each(names)('%s is unchanged since its release', async (name) => {
    expect((await storedHashes())[name], keep).toBe(await hashOf(name));
  });

  it.each(names)('%s has rows in every table of its stored schema', async (name) => {
    await withFixture(name, async (database) => {
      const tables = await database.select<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
      );
      const rows = await allRows(database);
      for (const table of tables.map((each) => each.name)) {
        if (table === 'SequelizeMeta') continue;
        const missing = `${table}: put rows into released-schemas.ts`;
        expect(rows[table]?.length ?? 0, missing).toBeGreaterThanOrEqual(
          sampleRows[table]?.length ?? 1,
        );
      }
    });
  });
});

describe('a database of an earlier release', () => {
  it.each(names)('%s has all of its rows after the upgrade', (name) =>
    withFixture(name, async (database) => {
      const before = await allRows(database);
      expect(before['settings']).toContainEqual(sampleRows['settings']?.[0]);
      await migrate(database);
      expect(withoutNewColumns(before, await allRows(database))).toEqual(before);
    }),
  );

  it.each(names)('%s is upgraded by a host, which shows its data', async (name) => {
    const paths = hostPaths(folder);
    const filePath = join(paths.database, 'host.db');
    await mkdir(paths.database, { recursive: true });
    await mkdir(paths.config, { recursive: true });
    await copyFile(fixtureOf(name), filePath);
    const dataSource = new DataSourceFile(paths.dataSource, createSecrets('any'), folder);
    await dataSource.write({ type: 'SQLITE', filePath });
    const host = await startTestHost({ workDirectory: folder });
    try {
      const settings = await host.client.call(api.settings.get);
      expect(settings).toMatchObject({
        language: 'de',
        workspaceDirectory: '/home/zoë/"work"',
      });
      const list = await host.client.call(api.notifications.list, { query: {} });
      expect(list.map(({ title }) => title)).toEqual(expect.arrayContaining(['Unread', 'Read 🙂']));
      const snapshots = await host.client.call(api.settings.snapshots);
      expect(snapshots.map(({ fromVersion }) => fromVersion)).toEqual(
        name === names.at(-1) ? [] : [name],
      );
    } finally {
      await host.stop();
    }
  });
});

describeUpgrades(sqliteDatabase);
