import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { SqliteConnection } from '../../platform/database/sqlite-file.ts';
import {
  askForBackup,
  backupOf,
  restoreIntoNew,
  seenBy,
  startRestored,
  treeOf,
  unzip,
} from '../../testing/backups.ts';
import {
  installDatabasePlugin,
  machineKey,
  queryAs,
  variablesOf,
} from '../../testing/database-plugin.ts';
import { installSample } from '../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

const plugin = 'acme.demo';
const apiKey = 'canary-of-the-search-key';
const pluginKey = 'canary-of-the-setting-of-a-plugin';
const parsed = (json: Buffer | undefined): unknown => JSON.parse(String(json));

describe('a backup of an installation in use', () => {
  let host: TestHost;
  let live: SqliteConnection;
  let socket: Server;
  let outside: string;
  let data: string;
  let archive: Buffer;
  let parts: Map<string, Buffer>;

  beforeAll(async () => {
    host = await startTestHost({ machineKey });
    const { client } = host;
    const settings = { theme: 'dark', language: 'de', webSearch: { apiKey } } as const;
    await client.call(api.settings.put, { body: settings });
    for (const title of ['one', 'two', 'drei ✓'])
      await client.call(api.notifications.create, {
        body: { source: 'host', level: 'info', title },
      });
    const [read] = (await client.call(api.notifications.list)) as { id: string }[];
    await client.call(api.notifications.read, { params: { id: read!.id } });
    await installDatabasePlugin(host);
    const userConfig = { key: { type: 'string', title: 'Key', required: true, sensitive: true } };
    await installSample(host, { manifest: { id: 'acme.keyed', name: 'Keyed', userConfig } });
    const keyed = { params: { id: 'acme.keyed' }, body: { key: pluginKey } };
    await client.call(api.plugins.setConfig, keyed);
    await installSample(host, { manifest: { id: 'acme.off', name: 'Off' } });
    const off = { params: { id: 'acme.off' }, body: { enabled: false } };
    await client.call(api.market.setEnabled, off);
    data = join(host.paths.pluginData, plugin);
    live = await useDatabase(host);
    outside = await mkdtemp(join(tmpdir(), 'outside-'));
    await writeFile(join(outside, 'private'), 'canary-of-another-folder');
    socket = await fillData(data, outside);
    archive = await backupOf(host);
    parts = await unzip(archive);
  });
  afterAll(async () => {
    await live.end();
    socket.close();
    await host.close();
    await rm(outside, { recursive: true, force: true });
  });

  it('lists its contents', () => {
    expect(parsed(parts.get('backup.json'))).toEqual({
      format: 2,
      version: expect.any(String) as unknown,
      createdAt: expect.stringMatching(/^\d{4}-.+Z$/) as unknown,
      database: { type: 'SQLITE', file: 'database/host.db' },
      contents: ['configuration', 'database', 'plugins', 'plugin data', 'plugin settings'],
      leftOut: [],
    });
    const folders = new Set([...parts.keys()].map((name) => name.split('/', 1)[0]));
    expect([...folders].sort()).toEqual(
      ['backup.json', 'config', 'database', 'plugin-config', 'plugin-data', 'plugins'].sort(),
    );
  });

  it('contains no secret in the clear and nothing from outside of the installation', () => {
    for (const [name, content] of parts)
      for (const secret of [machineKey, host.token, apiKey, pluginKey, 'canary-of-another-folder'])
        expect(content.includes(secret), `${secret} in ${name}`).toBe(false);
    const config = [...parts.keys()].filter((name) => name.startsWith('config'));
    expect(config).toEqual(['config/datasource.properties']);
  });

  it('contains the settings of plugins; secret ones that cannot be decrypted elsewhere must be entered again', async () => {
    const params = { id: 'acme.keyed' };
    const restored = await startRestored(archive, machineKey);
    try {
      const config = await restored.client.call(api.plugins.config, { params });
      expect(config).toEqual({ values: { key: 'cana***ugin' }, missing: [] });
    } finally {
      await restored.close();
    }
    const elsewhere = await startRestored(archive, 'another-machine');
    try {
      const config = await elsewhere.client.call(api.plugins.config, { params });
      expect(config).toMatchObject({
        values: {},
        missing: ['key'],
        unusable: [{ key: 'key', message: expect.stringMatching(/Enter it again/) as string }],
      });
      const notices = await elsewhere.client.call(api.notifications.list);
      expect(JSON.stringify(notices)).toContain('the setting Key of the plugin Keyed');
    } finally {
      await elsewhere.close();
    }
  });

  it('restores the same installation in an empty directory', async () => {
    const seen = await seenBy(host);
    expect(JSON.stringify(seen)).toContain('cana***-key');
    const restored = await startRestored(archive, machineKey);
    try {
      expect(restored.host.mode()).toBe('APP');
      expect(await seenBy(restored)).toEqual(seen);
      const rows = await queryAs(restored, plugin, 'SELECT word FROM words ORDER BY word');
      expect(rows).toEqual([{ word: 'committed' }, { word: 'old' }]);
      expect(await readdir(restored.paths.host)).not.toContain('restored');
    } finally {
      await restored.close();
    }
  });

  it('restores every file of a plugin with its bytes and executable bit', async () => {
    const workDirectory = await restoreIntoNew(archive);
    const ofDatabase = /^[^/]+\/database\//;
    const files = async (folder: string): Promise<[string, string][]> =>
      Object.entries(await treeOf(join(folder, '.host'))).filter(
        ([name, what]) =>
          /^plugin/.test(name) && what !== 'something else' && !ofDatabase.test(name.slice(12)),
      );
    const before = await files(host.workDirectory);
    expect(before.length).toBeGreaterThan(oddNames.length);
    expect(Object.fromEntries(await files(workDirectory))).toEqual(Object.fromEntries(before));
    await rm(workDirectory, { recursive: true });
  });

  it('requires the token', async () => {
    const answer = await askForBackup(host.port, '');
    expect(answer.resume().statusCode).toBe(401);
  });
});

/** Names that a page or a script could create in a folder on Linux. */
const oddNames = [
  ...['a\\b', '..\\up', '100%', '%5C', '%25', '%255C', '%2e%2e', 'line\nbreak', ' lead', 'trail '],
  ...['grün', 'gru\u0308n', '😀', '-rf', 'CON', 'c:d', '...', '~', 'UPPER', 'upper', 'q\'uote"s'],
  ...['plugin.db-wal', 'backup.json', 'x'.repeat(255)],
];

async function fillData(data: string, outside: string): Promise<Server> {
  for (const name of oddNames) await writeFile(join(data, name), `content of ${name}`);
  const deep = join(data, 'deep', ...Array.from({ length: 40 }, (_, depth) => `level ${depth}`));
  await mkdir(deep, { recursive: true });
  await writeFile(join(deep, 'large'), randomBytes(5_000_000));
  await writeFile(join(deep, 'nothing'), '');
  await writeFile(join(data, 'program'), '#!/bin/sh\n');
  await chmod(join(data, 'program'), 0o755);
  await mkdir(join(data, 'empty', 'a\\b'), { recursive: true });
  await symlink(outside, join(data, 'link to a folder'));
  await symlink(join(outside, 'private'), join(data, 'link to a file'));
  await symlink('nowhere', join(data, 'link to nothing'));
  execFileSync('mkfifo', [join(data, 'pipe')]);
  const socket = createServer().listen(join(data, 'socket'));
  await once(socket, 'listening');
  return socket;
}

/** Leaves the database open, with one row in its log and one uncommitted row. */
async function useDatabase(host: TestHost): Promise<SqliteConnection> {
  await queryAs(host, plugin, 'CREATE TABLE words (word TEXT)', "INSERT INTO words VALUES ('old')");
  const { HOST_PLUGIN_DB_URL } = await variablesOf(host, plugin);
  const live = await SqliteConnection.open(HOST_PLUGIN_DB_URL.slice('jdbc:sqlite:'.length), {
    create: false,
    pragmas: 'PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;',
  });
  await live.execute("INSERT INTO words VALUES ('committed'); BEGIN;");
  await live.execute("INSERT INTO words VALUES ('not committed')");
  return live;
}
