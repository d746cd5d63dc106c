import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hostPaths, restoreBackup } from '../../app/index.ts';
import { backupOf, changedArchive, restoreInto, treeOf, unzip } from '../../testing/backups.ts';
import { machineKey } from '../../testing/database-plugin.ts';
import { type RawEntry, rawZip } from '../../testing/packages.ts';
import { startTestHost } from '../../testing/test-host.ts';

let archive: Buffer;
let manifest: Record<string, unknown>;
beforeAll(async () => {
  const host = await startTestHost({ machineKey });
  const data = join(host.paths.pluginData, 'acme.demo');
  await mkdir(data);
  await writeFile(join(data, 'note'), 'a note');
  await writeFile(join(data, 'program'), '#!/bin/sh\n');
  await chmod(join(data, 'program'), 0o777);
  archive = await backupOf(host);
  manifest = JSON.parse(String((await unzip(archive)).get('backup.json'))) as typeof manifest;
  await host.close();
});

let outer: string;
let workDirectory: string;
beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), 'restore-'));
  workDirectory = join(outer, 'work');
});
afterEach(() => rm(outer, { recursive: true, force: true }));

const manifestWith = (changes: object): string => JSON.stringify({ ...manifest, ...changes });
/** The valid backup with one more entry, or with changed ones. */
const withEntry = async (entry: RawEntry): Promise<Buffer> =>
  rawZip([...(await changedArchive(archive, {})), entry]);
const changed = async (changes: Record<string, string | Buffer | null>): Promise<Buffer> =>
  rawZip(await changedArchive(archive, changes));

async function expectRefused(bytes: Buffer, message: RegExp, code = 'invalid_backup') {
  await expect(restoreInto(workDirectory, bytes)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message) as unknown,
  });
  expect(await treeOf(outer)).toEqual({ work: 'folder', 'work/.host': 'folder' });
}

describe('a backup that is restored', () => {
  it('is complete, and only its owner can access it', async () => {
    await restoreInto(workDirectory, archive);
    const host = join(workDirectory, '.host');
    expect((await readdir(host)).sort()).toEqual(['config', 'database', 'plugin-data', 'plugins']);
    expect((await stat(join(host, 'config', 'datasource.properties'))).mode & 0o777).toBe(0o600);
    const data = join(host, 'plugin-data', 'acme.demo');
    expect((await stat(join(data, 'note'))).mode & 0o111).toBe(0);
    expect((await stat(join(data, 'program'))).mode & 0o777).toBe(0o700);
  });

  it('keeps the executable bit, and no other mode bit, of an archive that was packed by hand', async () => {
    const name = 'plugin-data/acme.demo/tool';
    await restoreInto(workDirectory, await withEntry({ name, content: 'x', mode: 0o101777 }));
    const { mode } = await stat(join(workDirectory, '.host', name));
    expect(mode & 0o7777).toBe(0o700);
  });
});

describe('a file that is not a valid backup is refused, and nothing is written:', () => {
  it.each([
    ['../outside', /points outside the backup/],
    ['plugins/../../outside', /points outside the backup/],
    ['/outside', /points outside the backup/],
    ['plugins//x', /points outside the backup/],
    ['plugins/./x', /points outside the backup/],
    ['plugins\\..\\..\\outside', /a character in its name/],
    ['plugins/a\0b', /a character in its name/],
    ['plugins/%2e%2e/x', /is not a file of a backup/],
    ['config/.machineid', /is not part of a backup/],
    ['config/', /is not part of a backup/],
    ['database/other.db', /is not part of a backup/],
    ['database/host.db-wal', /is not part of a backup/],
    ['host.lock', /is not part of a backup/],
    ['plugins', /is not part of a backup/],
    ['plugin-data', /is not part of a backup/],
    ['C:/outside', /is not part of a backup/],
    ['plugin-data/acme.demo/note', /exists twice/],
    ['plugin-data/acme.demo/note/below', /both a file and a directory/],
    ['plugin-data/acme.demo', /both a file and a directory/],
  ])('an entry %j', async (name, message) => {
    await expectRefused(await withEntry({ name }), message);
  });

  it.each<[string, Partial<RawEntry>, RegExp]>([
    ['a symbolic link', { mode: 0o120777, content: '/etc/passwd' }, /is a symbolic link/],
    ['a named pipe', { mode: 0o010644 }, /is a named pipe/],
    ['a device', { mode: 0o020666 }, /is a device/],
    ['a socket', { mode: 0o140755 }, /is a socket/],
    ['set-user-id', { mode: 0o104755 }, /set-user-id/],
    ['encrypted', { both: { flags: 0x801 } }, /is encrypted/],
    ['larger than it says', { content: 'abc', both: { size: 2 } }, /damaged|content/],
    ['of a wrong checksum', { content: 'abc', both: { crc32: 1 } }, /damaged|content/],
  ])('an entry that is %s', async (_, entry, message) => {
    await expectRefused(await withEntry({ name: 'plugins/x', ...entry }), message);
  });

  it.each<[string, () => Record<string, string | null>, RegExp]>([
    ['without a manifest', () => ({ 'backup.json': null }), /not a backup of this program/],
    ['with a broken manifest', () => ({ 'backup.json': '{' }), /not a backup of this program/],
    ['with a manifest of null', () => ({ 'backup.json': 'null' }), /not a backup of this program/],
    [
      'with an unknown database',
      () => ({ 'backup.json': manifestWith({ database: { type: 'toString', file: null } }) }),
      /not a backup of this program/,
    ],
    [
      'whose database lies elsewhere',
      () => ({
        'backup.json': manifestWith({ database: { type: 'SQLITE', file: 'plugins/x' } }),
      }),
      /a location that is not allowed/,
    ],
    [
      'that leaves an embedded database where its configuration says',
      () => ({ 'backup.json': manifestWith({ database: { type: 'SQLITE', file: null } }) }),
      /a location that is not allowed/,
    ],
    ['without its database', () => ({ 'database/host.db': null }), /host\.db is missing/],
    [
      'without its configuration',
      () => ({ 'config/datasource.properties': null }),
      /datasource\.properties is missing/,
    ],
    [
      'with the configuration of another database',
      () => ({ 'config/datasource.properties': 'db.type=H2\ndb.url=jdbc:h2:file:./x\n' }),
      /belongs to another database/,
    ],
  ])('an archive %s', async (_, changes, message) => {
    await expectRefused(await changed(changes()), message);
  });

  it('an invalid configuration', async () => {
    const bytes = await changed({ 'config/datasource.properties': 'db.type=ORACLE\n' });
    await expectRefused(bytes, /unknown database type/, 'broken_configuration');
  });

  it('a backup of a newer release', async () => {
    const newer = /made by version \d.*; this is version \d/;
    for (const changes of [{ format: 3 }, { version: '999.0.0' }])
      await expectRefused(
        await changed({ 'backup.json': manifestWith(changes) }),
        newer,
        'backup_newer',
      );
  });

  it('something other than a file, or a missing file', async () => {
    await mkdir(join(workDirectory, '.host'), { recursive: true });
    const paths = hostPaths(workDirectory);
    for (const file of [outer, join(outer, 'nowhere')])
      await expect(restoreBackup(paths, file)).rejects.toMatchObject({ code: 'invalid_backup' });
    expect(await readdir(paths.host)).toEqual([]);
  });

  it('a truncated file, or one with a changed byte in its contents', async () => {
    for (const part of [0, 0.1, 0.5, 0.9, 0.999])
      await expectRefused(archive.subarray(0, Math.floor(archive.length * part)), /^The backup/);
    const damaged = Buffer.from(archive);
    const middle = Math.floor(damaged.length / 2);
    damaged[middle] = damaged[middle]! ^ 0xff;
    await expectRefused(damaged, /^The backup cannot be restored: /);
  });
});

describe('a working directory', () => {
  it.each([
    'config/datasource.properties',
    'config/datasource.properties.bak',
    'database/host.db',
    'plugins/x/manifest.json',
    'plugin-data/acme.demo/note',
    'notes.txt',
    'backups/snapshots/one.db',
  ])('with %s is in use, and left as it is', async (name) => {
    const file = join(workDirectory, '.host', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'mine');
    const before = await treeOf(workDirectory);
    await expect(restoreInto(workDirectory, archive)).rejects.toMatchObject({
      code: 'directory_in_use',
    });
    expect(await treeOf(workDirectory)).toEqual(before);
  });

  it('with a link among its folders counts as used', async () => {
    await mkdir(join(workDirectory, '.host'), { recursive: true });
    await symlink(outer, join(workDirectory, '.host', 'database'));
    await expect(restoreInto(workDirectory, archive)).rejects.toMatchObject({
      code: 'directory_in_use',
    });
  });

  it('with empty folders, a lock, logs and the machine key counts as empty', async () => {
    const host = join(workDirectory, '.host');
    for (const folder of ['config', 'database', 'plugins', 'plugin-data', 'staging', 'logs/old'])
      await mkdir(join(host, folder), { recursive: true });
    for (const file of ['host.lock', 'logs/host.log', 'logs/old/1.log', 'config/.machineid'])
      await writeFile(join(host, file), 'mine');
    await writeFile(join(workDirectory, 'backup.zip'), 'a file beside it');
    await restoreInto(workDirectory, archive);
    const tree = await treeOf(host);
    expect(Object.keys(tree)).toEqual(
      expect.arrayContaining([
        ...['config/.machineid', 'config/datasource.properties', 'database/host.db'],
        ...['host.lock', 'logs/host.log', 'plugin-data/acme.demo/note'],
      ]),
    );
  });
});
