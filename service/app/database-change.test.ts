import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api, type Notification, SetupStatus } from '../contract/index.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { installSample, samplePackage } from '../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../testing/test-host.ts';
import { createLog } from './index.ts';
import { messagesFor } from '../messages/localize.ts';

const official = 'host.sample';
const foreign = 'acme.other';
let folder: string;
let seeds: string;
const hosts: TestHost[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'database-change-'));
  seeds = join(folder, 'seeds');
  await putOfficialPlugin('1.0.0');
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  await rm(folder, { recursive: true, force: true });
});

async function putOfficialPlugin(version: string): Promise<void> {
  const bytes = await samplePackage({ manifest: { id: official, version, official: true } });
  const file = join(seeds, `${official}-${version}.plugin`);
  await mkdir(seeds, { recursive: true });
  await writeFile(file, bytes);
  await writeFile(`${file}.sha256`, createHash('sha256').update(bytes).digest('hex'));
}

type Options = Parameters<typeof startTestHost>[0];

async function start(options: Options = {}): Promise<TestHost> {
  const host = await startTestHost({ resources: { plugins: seeds }, ...options });
  hosts.push(host);
  return host;
}
async function restart(host: TestHost, options: Options = {}): Promise<TestHost> {
  await host.stop();
  return start({ workDirectory: host.workDirectory, setup: null, ...options });
}
async function setUp(host: TestHost, filePath = ''): Promise<SetupStatus> {
  const answer = await host.ask('/api/setup/initialize', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'SQLITE', params: { filePath } }),
  });
  expect(answer.status).toBe(200);
  return SetupStatus.parse(answer.json());
}
const installed = async (host: TestHost): Promise<string[]> =>
  (await host.client.call(api.market.list))
    .map(({ id, enabled, source }) => `${id} ${source} ${enabled ? 'enabled' : 'disabled'}`)
    .sort();
const disable = (host: TestHost, id: string) =>
  host.client.call(api.market.setEnabled, { params: { id }, body: { enabled: false } });
const uninstall = (host: TestHost, id: string) =>
  host.client.call(api.market.uninstall, { params: { id }, query: { deleteData: 'true' } });
const changeNotifications = async (host: TestHost): Promise<Notification[]> =>
  (await host.client.call(api.notifications.list)).filter(
    ({ code }) => code === 'database_changed',
  );

describe('official plugins', () => {
  it('appear in every working directory, even when it shares its database with another one', async () => {
    const shared = join(folder, 'shared.db');
    const first = await start({ setup: null });
    await setUp(first, shared);
    await disable(first, official);
    await first.stop();
    const second = await start({ setup: null });
    await setUp(second, shared);
    expect(await installed(second)).toEqual([`${official} OFFICIAL enabled`]);
    await uninstall(second, official);
    await second.stop();
    const again = await restart(first);
    expect(await installed(again)).toEqual([`${official} OFFICIAL disabled`]);
    await again.stop();
    expect(await installed(await restart(second))).toEqual([]);
  });

  it('that an earlier release seeded and a person removed do not come back', async () => {
    let host = await start();
    await uninstall(host, official);
    await installSample(host, { manifest: { id: foreign } });
    await disable(host, foreign);
    await host.stop();
    await asEarlierRelease(host, foreign);
    host = await restart(host);
    expect(await installed(host)).toEqual([`${foreign} THIRD_PARTY disabled`]);
  });

  it('that an earlier release seeded elsewhere appear in a new directory', async () => {
    const filePath = join(folder, 'shared.db');
    const first = await start({ setup: null });
    await setUp(first, filePath);
    await first.stop();
    await asEarlierRelease(first, official, filePath);
    const second = await start({ setup: null });
    await setUp(second, filePath);
    expect(await installed(second)).toEqual([`${official} OFFICIAL enabled`]);
  });
});

/** Plugins as an earlier release stored them: in rows of the database, one plugin disabled. */
async function asEarlierRelease(host: TestHost, disabled: string, filePath?: string) {
  await rm(join(host.paths.plugins, '.installed.json'));
  const database = await openDatabase({
    type: 'SQLITE',
    filePath: filePath ?? join(host.paths.database, 'host.db'),
  });
  const tables = database.sequelize.getQueryInterface();
  const row = { id: disabled, enabled: false, source: 'THIRD_PARTY', installed_at: new Date() };
  await tables.bulkInsert('plugins', [row]);
  await tables.bulkInsert('seeded_plugins', [{ id: official, version: '1.0.0' }]);
  await database.close();
}

describe('a change of the database', () => {
  it('keeps installed plugins and whether they are enabled, and lists what stays in the old database', async () => {
    const log = createLog({ level: 'INFO', directory: join(folder, 'logs'), stderr: false });
    const host = await start({ log });
    await installSample(host, { manifest: { id: foreign } });
    await disable(host, official);
    const before = await installed(host);
    await host.client.call(api.settings.put, { body: { theme: 'dark' } });

    await host.client.call(api.settings.resetDatabase);
    const status = await setUp(host, 'second.db');
    expect(status.databaseChange).toMatchObject({
      from: 'SQLITE',
      to: 'SQLITE',
      carriedOver: ['plugins', 'plugin_states', 'plugin_files', 'plugin_databases', 'workspace'],
      leftBehind: expect.arrayContaining(['settings', 'conversations', 'grants']) as unknown,
    });
    expect(await installed(host)).toEqual(before);
    expect((await host.client.call(api.settings.get)).theme).toBe('light');

    const [notification, ...more] = await changeNotifications(host);
    expect(more).toEqual([]);
    expect(notification).toMatchObject({
      level: 'info',
      link: '/settings/data',
      title: 'The host now uses another database (SQLite)',
    });
    expect(notification?.body).toMatch(
      /Carried over: installed plugins, the state of plugins \(enabled or disabled\)/,
    );
    expect(notification?.body).toMatch(/Not carried over: settings, .*conversations/);
    expect(notification?.body).toContain('2 plugins are installed, 1 of them disabled.');
    const inChinese = await messagesFor('zh-CN');
    expect(inChinese(notification?.bodyMessage, '')).toMatch(/已保留：已安装的插件.*未保留：设置/s);
    await log.close();
    const [file = ''] = await readdir(join(folder, 'logs'));
    expect(await readFile(join(folder, 'logs', file), 'utf8')).toContain('Not carried over');
  });

  it('is reported once, and not when the same database is chosen again', async () => {
    let host = await start();
    await disable(host, official);
    await host.client.call(api.settings.resetDatabase);
    expect(await setUp(host)).not.toHaveProperty('databaseChange');
    expect(await installed(host)).toEqual([`${official} OFFICIAL disabled`]);
    expect(await changeNotifications(host)).toEqual([]);
    await host.client.call(api.settings.resetDatabase);
    await setUp(host, 'second.db');
    host = await restart(host);
    expect(await host.client.call(api.setup.status)).not.toHaveProperty('databaseChange');
    expect(await changeNotifications(host)).toHaveLength(1);
    expect(await installed(host)).toEqual([`${official} OFFICIAL disabled`]);
  });

  it('is noticed when the configuration was edited by hand', async () => {
    let host = await start();
    await host.stop();
    const url = `jdbc:sqlite:${join(folder, 'by-hand.db')}`;
    await writeFile(host.paths.dataSource, `db.type=SQLITE\ndb.url=${url}\n`);
    host = await restart(host);
    expect(await changeNotifications(host)).toHaveLength(1);
  });

  it('is not reported when the database was only moved', async () => {
    let host = await start();
    await host.stop();
    const moved = join(folder, 'moved.db');
    await writeFile(moved, await readFile(join(host.paths.database, 'host.db')));
    await writeFile(host.paths.dataSource, `db.type=SQLITE\ndb.url=jdbc:sqlite:${moved}\n`);
    host = await restart(host);
    expect(await changeNotifications(host)).toEqual([]);
  });
});
