import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api, type Snapshot } from '../contract/index.ts';
import { type Migration, migrations } from '../platform/database/migrate.ts';
import { startTestHost, type TestHost, type TestHostOptions } from '../testing/test-host.ts';
import { hostPaths, restoreSnapshotOf } from './index.ts';

let host: TestHost;
beforeEach(async () => {
  host = await startTestHost();
});
afterEach(() => host.close());

/** Migrations of a schema that is newer by this number of releases. */
function schema(releases: number, up: Migration['up'] = () => Promise.resolve()): Migration[] {
  const more = Array.from({ length: releases }, (_, n) => ({ name: `900${n}-later`, up }));
  return [...migrations, ...more];
}

async function restart(options: TestHostOptions = {}): Promise<void> {
  await host.stop();
  host = await startTestHost({ workDirectory: host.workDirectory, ...options });
}

const list = (): Promise<Snapshot[]> => host.client.call(api.settings.snapshots);
const newest = migrations.at(-1)!.name;
const write = (language: string): Promise<unknown> =>
  host.client.call(api.settings.put, { body: { language } });
const language = async (): Promise<string> => (await host.client.call(api.settings.get)).language;
const restore = async (name: string): Promise<void> => {
  await host.stop();
  await restoreSnapshotOf(host.paths, name);
};

describe('before an upgrade', () => {
  it('a snapshot of the database is stored; without an upgrade there is none', async () => {
    expect(await list()).toEqual([]);
    await restart();
    expect(await list()).toEqual([]);
    const before = Date.now();
    await restart({ migrations: schema(1) });
    const [snapshot, ...rest] = await list();
    expect(rest).toEqual([]);
    expect(snapshot).toEqual({
      name: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}-from-[\w-]+$/) as unknown,
      createdAt: expect.stringMatching(/^\d{4}-.+Z$/) as unknown,
      fromVersion: newest,
      sizeBytes: expect.any(Number) as unknown,
    });
    expect(Date.parse(snapshot!.createdAt)).toBeGreaterThanOrEqual(before - 1_000);
    const file = join(host.paths.snapshots, `${snapshot!.name}.db`);
    const info = await stat(file);
    expect(info.size).toBe(snapshot!.sizeBytes);
    expect(info.mode & 0o777).toBe(0o600);
    expect((await readFile(file)).subarray(0, 15).toString()).toBe('SQLite format 3');
    expect(await readdir(host.paths.snapshots)).toEqual([`${snapshot!.name}.db`]);
  });

  it('only the last three are kept', async () => {
    const seen: string[] = [];
    for (let releases = 1; releases <= 5; releases += 1) {
      await restart({ migrations: schema(releases) });
      seen.push((await list())[0]!.name);
    }
    expect((await list()).map(({ name }) => name)).toEqual(seen.slice(-3).reverse());
    expect((await list()).map(({ fromVersion }) => fromVersion)).toEqual([
      '9003-later',
      '9002-later',
      '9001-later',
    ]);
  });

  it('a snapshot is also stored of a database in a custom folder', async () => {
    await host.client.call(api.settings.resetDatabase);
    const params = { filePath: join(host.workDirectory, 'my data', 'own.sqlite') };
    await host.client.call(api.setup.initialize, { body: { type: 'SQLITE', params } });
    await write('de');
    await restart({ migrations: schema(1) });
    const [snapshot] = await list();
    await write('fr');
    await restore(snapshot!.name);
    await restart({ migrations: schema(1) });
    expect(await language()).toBe('de');
    expect(await readdir(join(host.workDirectory, 'my data'))).toContain('own.sqlite');
  });

  it('a snapshot that cannot be stored ends the start with a message and changes nothing', async () => {
    await host.stop();
    await rm(join(host.paths.host, 'backups'), { recursive: true, force: true });
    await writeFile(join(host.paths.host, 'backups'), 'in the way');
    const { workDirectory } = host;
    await expect(startTestHost({ workDirectory, migrations: schema(1) })).rejects.toMatchObject({
      code: 'cannot_start',
      message: expect.stringMatching(
        /^The service cannot start: .+ snapshot .+ was not changed\. .+ try again\.$/,
      ) as unknown,
    });
    await rm(join(host.paths.host, 'backups'));
    host = await startTestHost({ workDirectory });
    expect((await host.client.call(api.setup.status)).initialized).toBe(true);
  });

  it('that fails, only the snapshot of the first attempt is stored', async () => {
    const fails = schema(1, () => Promise.reject(new Error('interrupted')));
    await restart({ migrations: fails });
    const stored = await readdir(host.paths.snapshots);
    await restart({ migrations: fails });
    await restart({ migrations: fails });
    expect(await readdir(host.paths.snapshots)).toEqual(stored);
    await restart({ migrations: schema(1) });
    expect((await list()).map(({ name }) => `${name}.db`)).toEqual(
      stored.filter((name) => name.endsWith('.db')),
    );
  });

  it('that failed some time ago, a new snapshot is stored at the next attempt', async () => {
    await restart({ migrations: schema(1, () => Promise.reject(new Error('interrupted'))) });
    await restart();
    await write('de');
    await restart({ migrations: schema(1) });
    const [snapshot, ...rest] = await list();
    expect(rest).toHaveLength(1);
    await write('fr');
    await restore(snapshot!.name);
    await restart({ migrations: schema(1) });
    expect(await language()).toBe('de');
  });
});

describe('a snapshot that is restored', () => {
  it('becomes the database again, and the replaced one can be restored', async () => {
    await write('de');
    await restart({ migrations: schema(1) });
    await write('fr');
    const [snapshot] = await list();
    await restore(snapshot!.name);
    await restart({ migrations: schema(1) });
    expect(await language()).toBe('de');
    const [aside, restored, ...rest] = await list();
    expect(rest).toEqual([]);
    expect(restored).toEqual(snapshot);
    expect(aside).toMatchObject({
      name: expect.stringMatching(/-before-restore(\.\d+)?$/) as unknown,
      fromVersion: 'unknown',
    });
    await restore(aside!.name);
    await restart({ migrations: schema(1) });
    expect(await language()).toBe('fr');
  });

  it('is not deleted by following upgrades', async () => {
    for (let releases = 1; releases <= 3; releases += 1)
      await restart({ migrations: schema(releases) });
    const oldest = (await list()).at(-1)!;
    for (let round = 0; round < 4; round += 1) {
      await restore(oldest.name);
      await restart({ migrations: schema(3) });
      expect((await host.client.call(api.setup.status)).initialized).toBe(true);
    }
    const all = await list();
    expect(all).toContainEqual(oldest);
    expect(all.filter(({ name }) => name.includes('before-restore'))).toHaveLength(3);
    expect(all.filter(({ name }) => name.includes('-from-'))).toHaveLength(3);
  });

  it('must exist', async () => {
    await restart({ migrations: schema(1) });
    const [snapshot] = await list();
    await host.stop();
    const before = await readFile(join(host.paths.database, 'host.db'));
    for (const name of ['nothing', '../config/datasource', `${snapshot!.name}.db`, ''])
      await expect(restoreSnapshotOf(host.paths, name)).rejects.toMatchObject({
        code: 'unknown_snapshot',
        message: expect.stringContaining(`Available snapshots: ${snapshot!.name}.`) as unknown,
      });
    expect(await readFile(join(host.paths.database, 'host.db'))).toEqual(before);
  });

  it('replaces a damaged database, which is kept with the files next to it', async () => {
    await write('de');
    await restart({ migrations: schema(1) });
    const [snapshot] = await list();
    await host.stop();
    const file = join(host.paths.database, 'host.db');
    await writeFile(file, 'no database');
    await writeFile(`${file}-wal`, 'its log');
    await restoreSnapshotOf(host.paths, snapshot!.name);
    await restart({ migrations: schema(1) });
    expect(await language()).toBe('de');
    const stored = (await readdir(host.paths.snapshots)).filter((name) => name.includes('before'));
    expect(stored).toHaveLength(2);
    const contents = await Promise.all(
      stored.map((name) => readFile(join(host.paths.snapshots, name), 'utf8')),
    );
    expect(contents.sort()).toEqual(['its log', 'no database']);
  });

  it('needs a configured embedded database', async () => {
    const paths = hostPaths(join(host.workDirectory, 'other'));
    await mkdir(paths.config, { recursive: true });
    const refused = { code: 'no_embedded_database' };
    await expect(restoreSnapshotOf(paths, 'any')).rejects.toMatchObject(refused);
    await writeFile(
      paths.dataSource,
      'db.type=MYSQL\ndb.url=jdbc:mysql://localhost:3306/x\ndb.username=u\ndb.password=\n',
    );
    await expect(restoreSnapshotOf(paths, 'any')).rejects.toMatchObject(refused);
  });
});

it('the list of snapshots needs the token', async () => {
  const answer = await host.ask('/api/settings/snapshots', { headers: { 'X-Host-Token': '' } });
  expect(answer.status).toBe(401);
});
