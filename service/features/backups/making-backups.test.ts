import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { SqliteConnection } from '../../platform/database/sqlite-file.ts';
import {
  askForBackup,
  backupOf,
  restoreIntoNew,
  startRestored,
  unzip,
} from '../../testing/backups.ts';
import { machineKey } from '../../testing/database-plugin.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

const plugin = 'acme.demo';
const apiKey = 'canary-of-the-search-key';

/** Resolves when the connection is closed, whether the body was complete or not. */
function closed(answer: IncomingMessage): Promise<void> {
  answer.on('error', () => undefined);
  return new Promise((resolve) => answer.once('close', resolve));
}

describe('a backup', () => {
  let host: TestHost;
  beforeEach(async () => {
    host = await startTestHost({ machineKey: null });
  });
  afterEach(() => host.close());

  const dataFile = async (...name: string[]): Promise<string> => {
    const path = join(host.paths.pluginData, plugin, ...name);
    await mkdir(dirname(path), { recursive: true });
    return path;
  };
  /** More than the buffers between the host and a client that does not read. */
  const fillMuch = async (): Promise<void> =>
    writeFile(await dataFile('much'), randomBytes(40_000_000));
  const inStaging = (): Promise<string[]> => readdir(host.paths.staging);

  it('is a zip named after its time', async () => {
    const answer = await askForBackup(host.port, host.token);
    expect(answer.resume().headers).toMatchObject({
      'content-type': 'application/zip',
      'cache-control': 'no-store',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="plugin-host-backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.zip"$/,
      ) as unknown,
    });
    await once(answer, 'end');
    await expect.poll(inStaging).toEqual([]);
  });

  it('excludes the machine key; with the key in the new directory its secrets can be read again', async () => {
    await host.client.call(api.settings.put, { body: { webSearch: { apiKey } } });
    const archive = await backupOf(host);
    const key = await readFile(host.paths.machineId, 'utf8');
    for (const content of (await unzip(archive)).values())
      expect(content.includes(key.trim())).toBe(false);
    const workDirectory = await restoreIntoNew(archive);
    const summary = async (): Promise<string> => {
      const restored = await startTestHost({ workDirectory, setup: null });
      const { webSearch } = await restored.client.call(api.settings.get);
      const notifications = await restored.client.call(api.notifications.list);
      await restored.stop();
      return `${webSearch.apiKey} ${notifications.length}`;
    };
    const config = join(workDirectory, '.host', 'config');
    await writeFile(join(config, '.machineid'), key);
    expect(await summary()).toBe('cana***-key 0');
    await rm(join(config, '.machineid'));
    expect(await summary()).toBe(' 1');
    await rm(workDirectory, { recursive: true });
  });

  it('contains a database outside of the installation and restores it to the default location', async () => {
    await host.client.call(api.settings.resetDatabase);
    const params = { filePath: join(host.workDirectory, 'my data', 'own.sqlite') };
    await host.client.call(api.setup.initialize, { body: { type: 'SQLITE', params } });
    await host.client.call(api.settings.put, { body: { language: 'fr' } });
    const archive = await backupOf(host);
    await host.stop();
    await rm(host.paths.host, { recursive: true });
    await rm(params.filePath);
    const restored = await startRestored(archive, machineKey);
    expect((await restored.client.call(api.settings.get)).language).toBe('fr');
    expect(await readdir(restored.paths.database)).toContain('host.db');
    await restored.close();
  });

  it('is made one at a time while the host keeps working; a reader that leaves frees the slot', async () => {
    await fillMuch();
    const first = await askForBackup(host.port, host.token);
    expect(first.statusCode).toBe(200);
    const second = await host.ask('/api/settings/backup', { method: 'POST' });
    expect(second.status).toBe(409);
    expect(second.json()).toMatchObject({ code: 'backup_running' });
    await host.client.call(api.settings.put, { body: { language: 'fr' } });
    first.destroy();
    await expect.poll(inStaging).toEqual([]);
    const third = await askForBackup(host.port, host.token);
    expect(third.statusCode).toBe(200);
    third.destroy();
  });

  it('is cut off when the host closes, and leaves nothing behind', async () => {
    await fillMuch();
    const answer = await askForBackup(host.port, host.token);
    expect(answer.statusCode).toBe(200);
    const ended = closed(answer);
    await host.stop();
    answer.resume();
    await ended;
    expect(answer.complete).toBe(false);
    expect(await inStaging()).toEqual([]);
  });

  it('requested just before the host closes does not delay it', async () => {
    await fillMuch();
    const asked = askForBackup(host.port, host.token).then(
      async (answer) => {
        await closed(answer.resume());
        return answer.statusCode === 200 && answer.complete;
      },
      () => false,
    );
    await expect.poll(inStaging).toHaveLength(1);
    await host.stop();
    expect(await asked).toBe(false);
    expect(await inStaging()).toEqual([]);
  });

  // Other systems do not allow such names.
  it.runIf(process.platform === 'linux')(
    'lists what cannot be read, and contains the rest',
    async () => {
      const folder = dirname(await dataFile('other'));
      await writeFile(join(folder, 'other'), 'other');
      const noText = Buffer.from([0x66, 0xff]);
      await writeFile(Buffer.concat([Buffer.from(`${folder}/`), noText]), 'file');
      await mkdir(Buffer.concat([Buffer.from(`${folder}/folder`), noText]));
      const parts = await unzip(await backupOf(host));
      expect(parts.get(`plugin-data/${plugin}/other`)?.toString()).toBe('other');
      const { leftOut: skipped } = JSON.parse(String(parts.get('backup.json'))) as {
        leftOut: string[];
      };
      expect(skipped.sort()).toEqual([
        `plugin-data/${plugin}/folderf\uFFFD`,
        `plugin-data/${plugin}/f\uFFFD`,
      ]);
    },
  );

  it('includes a damaged database of a plugin as it is, with the files next to it', async () => {
    const file = await dataFile('database', 'plugin.db');
    await writeFile(file, 'no database at all, but longer than nothing');
    await writeFile(`${file}-journal`, 'its journal');
    const parts = await unzip(await backupOf(host));
    const entryPath = `plugin-data/${plugin}/database/plugin.db`;
    expect(parts.get(entryPath)?.toString()).toMatch(/^no database/);
    expect(parts.get(`${entryPath}-journal`)?.toString()).toBe('its journal');
    expect(await readFile(`${file}-journal`, 'utf8')).toBe('its journal');
  });

  it('never rolls back a journal that a plugin left, since it can name any file for deletion', async () => {
    const file = await dataFile('database', 'plugin.db');
    const database = await SqliteConnection.open(file, { create: true, pragmas: '' });
    await database.execute(
      'PRAGMA page_size=512; CREATE TABLE kept (n); INSERT INTO kept VALUES (7)',
    );
    await database.end();
    const victim = join(host.workDirectory, 'victim');
    await writeFile(victim, 'a file of somebody else');
    await writeFile(`${file}-journal`, journalNaming(victim, (await readFile(file)).length / 512));
    const parts = await unzip(await backupOf(host));
    expect(await readFile(victim, 'utf8')).toBe('a file of somebody else');
    const entryPath = `plugin-data/${plugin}/database/plugin.db`;
    expect(parts.get(entryPath)).toEqual(await readFile(file));
    expect(parts.get(`${entryPath}-journal`)).toEqual(await readFile(`${file}-journal`));
    // Proof of the danger: opening the database for writing deletes the file.
    const owner = await SqliteConnection.open(file, { create: false, pragmas: '' });
    await owner.rows('SELECT * FROM kept');
    await owner.end();
    await expect(readFile(victim)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

/**
 * A journal without pages, for a database of `pages` pages, that ends with `name` as its
 * super-journal.
 */
function journalNaming(name: string, pages: number): Buffer {
  const magic = Buffer.from('d9d505f920a163d7', 'hex');
  const numbers = (...all: number[]): Buffer => {
    const bytes = Buffer.alloc(4 * all.length);
    all.forEach((number, index) => bytes.writeUInt32BE(number, 4 * index));
    return bytes;
  };
  const head = Buffer.concat([magic, numbers(0, 0, pages, 512, 512)], 512);
  const text = Buffer.from(name);
  const sum = text.reduce((total, byte) => total + byte, 0);
  const lockPage = Math.floor(0x40000000 / 512) + 1;
  return Buffer.concat([head, numbers(lockPage), text, numbers(text.length, sum), magic]);
}
