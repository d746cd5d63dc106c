import { randomBytes } from 'node:crypto';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../service/contract/index.ts';
import { backupOf, changedArchive, treeOf, unzip } from '../service/testing/backups.ts';
import { faultRounds, faultSeed } from '../service/testing/faults/fault-rounds.ts';
import { randomOf } from '../service/testing/faults/random.ts';
import { rawZip } from '../service/testing/packages.ts';
import { type BuiltHost, createHosts } from './built-host.ts';
import { examplePackage, packExample } from './example-package.ts';
import { canMount, onTmpfs } from './on-tmpfs.ts';
import { useFolder } from '../service/testing/use-for-file.ts';

const env = { HOST_MACHINE_KEY: 'the key of the test machine' };
const hosts = createHosts();
afterEach(() => hosts.cleanUp());

let file: string;
let archive: Buffer;
/** Installed versions by plugin, and the data that the plugin stores. */
let installed: Record<string, string>;

const treesOf = async (workDirectory: string): Promise<Record<string, string>> => {
  const tree = await treeOf(join(workDirectory, '.host'));
  return Object.fromEntries(Object.entries(tree).filter(([name]) => /^plugin/.test(name)));
};
const restore = (workDirectory: string, backup = file): Promise<BuiltHost> =>
  hosts.start({
    env,
    args: ['--port=0', `--work-dir=${workDirectory}`, `--restore-backup=${backup}`],
  });

const folder = await useFolder('backups-');

beforeAll(async () => {
  file = join(folder, 'backup.zip');
  const host = await hosts.start({ env, args: ['--port=0', '--setup=SQLITE'] });
  const client = await host.client();
  const settings = { theme: 'dark', webSearch: { apiKey: 'a-secret-of-twenty-one' } } as const;
  await client.call(api.settings.put, { body: settings });
  await client.call(api.market.upload, { file: await packExample(), fields: {} });
  const data = join(host.workDirectory, '.host', 'plugin-data', examplePackage.id);
  await mkdir(data, { recursive: true });
  for (let number = 0; number < 300; number += 1)
    await writeFile(join(data, `file ${number}`), randomBytes(2_000));
  await writeFile(join(data, 'large'), randomBytes(5_000_000));
  const [port, token] = [Number(await host.value('HOST_PORT')), await host.value('HOST_TOKEN')];
  archive = await backupOf({ port, token });
  await writeFile(file, archive);
  await host.stop();
  installed = await treesOf(host.workDirectory);
  await hosts.cleanUp();
});

async function expectRestored(host: BuiltHost, workDirectory: string): Promise<void> {
  const client = await host.client();
  expect(await client.call(api.setup.status)).toMatchObject({ initialized: true });
  const { theme, webSearch } = await client.call(api.settings.get);
  expect([theme, webSearch.apiKey]).toEqual(['dark', 'a-se***-one']);
  const [plugin] = (await client.call(api.market.list)).filter(
    ({ id }) => id === examplePackage.id,
  );
  expect(plugin).toMatchObject({ installed: true, enabled: true });
  expect(await treesOf(workDirectory)).toEqual(installed);
}

describe('--restore-backup', () => {
  it('fills a new directory and starts with it; later starts use it too', async () => {
    const outer = await hosts.makeFolder();
    await writeFile(join(outer, 'mine.zip'), archive);
    const args = ['--port=0', '--work-dir=new/one', '--restore-backup=mine.zip'];
    const first = await hosts.start({ env, workDirectory: outer, args });
    const workDirectory = join(outer, 'new', 'one');
    await expectRestored(first, workDirectory);
    expect(await readdir(join(workDirectory, '.host'))).not.toContain('restored');
    const data = join(workDirectory, '.host', 'plugin-data', examplePackage.id);
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    expect((await stat(join(data, 'large'))).mode & 0o777).toBe(0o600);
    await first.stop();

    const second = await hosts.start({ env, workDirectory, args: ['--port=0'] });
    await expectRestored(second, workDirectory);
    const client = await second.client();
    const body = { callId: 'one', method: 'keep', params: {} };
    const params = { id: examplePackage.id };
    const invocation = await client.call(api.plugins.invoke, { params, body });
    expect(invocation).toMatchObject({ result: 'kept' });
    await second.stop();

    const before = await treeOf(workDirectory);
    const third = await restore(workDirectory);
    expect(await third.exited).toEqual({ code: 2, signal: null });
    expect(third.stderr()).toMatch(/^The working directory .+ is already in use\. .+=…\n$/);
    expect(await treeOf(workDirectory)).toEqual(before);
  });

  const cases: [string, () => Promise<Buffer>, RegExp][] = [
    ['is cut off', async () => archive.subarray(0, archive.length - 100), /damaged or cut short/],
    [
      'is another zip',
      async () => Buffer.from(await (await packExample()).arrayBuffer()),
      /is not part of a backup/,
    ],
    ['was made by a newer release', () => newerBackup(), /was made by version 999\.0\.0; this is/],
  ];

  it.each(cases)(
    'of a file that %s ends with code 2 and one line',
    async (_, bytes, expectedMessage) => {
      const backup = join(await hosts.makeFolder(), 'backup.zip');
      await writeFile(backup, await bytes());
      await expectRefused(backup, expectedMessage);
    },
  );

  it.runIf(canMount)('without space for it ends with code 2 and one line', async () => {
    const workDirectory = await hosts.makeFolder();
    const args = [`--work-dir=${workDirectory}`, `--restore-backup=${file}`];
    const host = await hosts.start({ env, args, wrap: onTmpfs(workDirectory, 'size=4m') });
    expect(await host.exited).toEqual({ code: 2, signal: null });
    expect(host.stderr()).toBe(
      'The disk does not have enough space for the backup. Free some space and try again.\n',
    );
  });

  it('of a file that is not there ends with code 2 and one line', async () => {
    await expectRefused(join(folder, 'nowhere.zip'), /cannot be opened/);
  });

  async function expectRefused(backup: string, expectedMessage: RegExp): Promise<void> {
    const workDirectory = await hosts.makeFolder();
    const host = await restore(workDirectory, backup);
    expect(await host.exited).toEqual({ code: 2, signal: null });
    expect(host.stdout()).toBe('');
    expect(host.stderr()).toMatch(/^The backup [^\n]+\.\n$/);
    expect(host.stderr()).toMatch(expectedMessage);
    expect(await readdir(workDirectory)).toEqual([]);
  }
});

async function newerBackup(): Promise<Buffer> {
  const manifest = JSON.parse(String((await unzip(archive)).get('backup.json'))) as object;
  const text = JSON.stringify({ ...manifest, version: '999.0.0' });
  return rawZip(await changedArchive(archive, { 'backup.json': text }));
}

describe('a restore that is killed', () => {
  const seed = faultSeed();
  const random = randomOf(seed);
  const unpackingMs = 150;
  const startMs = 800;
  let isTriedAgain = false;

  it('is either not started or complete at the next start', async () => {
    for (let round = 0; round < faultRounds({ short: 6, long: 60 }); round += 1) {
      const workDirectory = await hosts.makeFolder();
      const host = await restore(workDirectory);
      // In every second round, wait until it is certainly unpacking.
      if (round % 2 === 0) await seen(join(workDirectory, '.host'), 'restor');
      await delay(random.next() * (round % 2 === 0 ? unpackingMs : startMs));
      host.child.kill('SIGKILL');
      await host.exited;
      await expectWholeOrNothing(workDirectory, `seed ${seed}, round ${round}`);
      await hosts.cleanUp();
    }
  });

  async function expectWholeOrNothing(workDirectory: string, which: string): Promise<void> {
    const next = await hosts.start({ env, args: ['--port=0', `--work-dir=${workDirectory}`] });
    const client = await next.client();
    const { initialized } = await client.call(api.setup.status);
    if (initialized) return expectRestored(next, workDirectory);
    await next.stop();
    const remaining = Object.entries(await treeOf(join(workDirectory, '.host')));
    const files = remaining.filter(([name, what]) => what !== 'folder' && !name.startsWith('logs'));
    expect(files, which).toEqual([]);
    if (isTriedAgain) return;
    isTriedAgain = true;
    const again = await restore(workDirectory);
    await expectRestored(again, workDirectory);
  }

  async function seen(path: string, beginning: string): Promise<void> {
    const hasFile = async (): Promise<boolean> =>
      (await readdir(path).catch(() => [])).some((name) => name.startsWith(beginning));
    await expect.poll(hasFile, { interval: 1 }).toBe(true);
  }
});
