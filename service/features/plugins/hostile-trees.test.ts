import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api, type FileRef } from '../../contract/index.ts';
import { backupOf, restoreIntoNew, unzip } from '../../testing/backups.ts';
import { makeTree, type TreeKind } from '../../testing/hostile-trees.ts';
import { installSample, invoke } from '../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

const run = promisify(execFile);
const id = 'acme.hostile';
const notExported = 'NOT-EXPORTED.txt';
/** Generous for a busy machine; a hanging step never ends. */
const stepLimitMs = 60_000;
/** A script that creates folders faster than they can be deleted. */
const endlessFolders = "for (let made = 0; ; made += 1) fs.mkdirSync('more-' + made);";

const shapes: [TreeKind, number][] = [
  ['deep', 3_000],
  ['many', 5_000],
  ['bytes', 0],
  ['hollow', 0],
  ['special', 0],
];

let host: TestHost;
beforeEach(async () => {
  host = await startTestHost();
  await installSample(host, { manifest: { id, permissions: ['files.read', 'files.write'] } });
});
afterEach(async () => {
  await host.stop();
  await run('rm', ['-rf', host.workDirectory, await grantRoot()]);
});

const dataFolder = (): string => join(host.paths.pluginData, id);

async function grantRoot(): Promise<string> {
  const work = await realpath(host.workDirectory);
  const hash = createHash('sha256').update(work).digest('hex').slice(0, 16);
  return join(await realpath(tmpdir()), `plugin-host-${hash}`);
}

/** Returns the folder where the host of this test stores its only output. */
async function outputFolder(): Promise<string> {
  const plugin = join(await grantRoot(), 'runtime-files', id);
  for (const tree of await readdir(plugin)) {
    const [output] = await readdir(join(plugin, tree, 'out')).catch((): string[] => []);
    if (output !== undefined) return join(plugin, tree, 'out', output);
  }
  throw new Error('There is no output.');
}

/** Resolves with the result of `work`, within the limit of a step. */
async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} does not end.`)), stepLimitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function restart(): Promise<void> {
  const { workDirectory } = host;
  await inTime('the stop', host.stop());
  host = await inTime('the start', startTestHost({ workDirectory }));
}

const exported = async (ref: FileRef): Promise<Map<string, Buffer>> => {
  const answer = await host.client.open(api.files.exportOutput, { params: { id, ref: ref.id } });
  return unzip(Buffer.from(await answer.arrayBuffer()));
};

describe.each(shapes)('data of a plugin that is %s (%i)', (kind, count) => {
  it('is included in backups or listed there, survives a restart, and is deleted with the plugin', async () => {
    await makeTree(join(dataFolder(), 'tree'), kind, count);
    await writeFile(join(dataFolder(), 'own.txt'), 'own');
    await restart();
    expect(host.host.mode()).toBe('APP');
    expect(await invoke(host, id, 'echo', { a: 1 })).toEqual({ a: 1 });

    const archive = await inTime('the backup', backupOf(host));
    const restored = await inTime('the restore', restoreIntoNew(archive));
    const copy = join(restored, '.host', 'plugin-data', id, 'own.txt');
    expect(await readFile(copy, 'utf8')).toBe('own');
    await run('rm', ['-rf', restored]);
    const parts = await unzip(archive);
    expect(parts.get(`plugin-data/${id}/own.txt`)?.toString()).toBe('own');
    const { leftOut } = JSON.parse(String(parts.get('backup.json'))) as { leftOut: string[] };
    const inTree = [...parts.keys()].filter((name) => name.startsWith(`plugin-data/${id}/tree/`));
    if (kind === 'many') expect(inTree).toHaveLength(count);
    if (kind === 'deep') {
      expect(inTree.length).toBeGreaterThan(4);
      expect(leftOut.at(-1)).toMatch(/^plugin-data\/acme\.hostile\/tree\/(level\/){500,}level$/);
    }
    if (kind === 'bytes') expect(leftOut).toHaveLength(8);
    if (kind === 'hollow') expect(leftOut).toEqual([`plugin-data/${id}/tree/hollow`]);

    const descriptor = await inTime(
      'its size',
      host.client.call(api.plugins.show, { params: { id } }),
    );
    expect(descriptor.id).toBe(id);
    const query = { deleteData: 'true' } as const;
    await inTime(
      'the uninstall',
      host.client.call(api.market.uninstall, { params: { id }, query }),
    );
    await expect(stat(dataFolder())).rejects.toThrow(/ENOENT/);
    expect((await readdir(host.paths.staging)).filter((name) => name.startsWith('data'))).toEqual(
      [],
    );
    await restart();
    expect(host.host.mode()).toBe('APP');
  });
});

describe.each(shapes)('an output of a plugin that is %s (%i)', (kind, count) => {
  it('is exported with a list of what was left out, and is deleted when the host stops', async () => {
    const ref = await host.client.call(api.files.output, { params: { id } });
    const folder = await outputFolder();
    await makeTree(folder, kind, count);
    await writeFile(join(folder, 'own.txt'), 'own');
    const parts = await inTime('the export', exported(ref));
    expect(parts.get('own.txt')?.toString()).toBe('own');
    const list = parts.get(notExported)?.toString().split('\n\n')[1] ?? '';
    if (kind === 'many') expect([parts.size, list]).toEqual([count + 1, '']);
    if (kind === 'bytes') expect(list.match(/�/g)?.length).toBeGreaterThanOrEqual(8);
    if (kind === 'hollow') expect(list).toBe('hollow\n');
    if (kind === 'deep') expect(list).toMatch(/^(level\/)+level…?\n$|^(level\/)+/);
    // Links, pipes and sockets are skipped.
    if (kind === 'special')
      expect([...parts.keys()].join()).not.toMatch(/pipe|socket|circle|every/);

    const root = await grantRoot();
    const remaining = (): Promise<string[]> => readdir(root).catch(() => []);
    await inTime('the stop', host.stop());
    expect(await remaining()).not.toContain('runtime-files');
    // The next start deletes what took longer than a stop may take.
    const { workDirectory } = host;
    host = await inTime('the start', startTestHost({ workDirectory }));
    await expect.poll(remaining, { timeout: stepLimitMs }).toEqual([]);
  });
});

it('files left by a killed host are deleted after the next start, while it already runs', async () => {
  const root = await grantRoot();
  const { workDirectory } = host;
  await host.stop();
  const [files, staged] = [join(root, 'runtime-files', id), join(host.paths.staging, 'data-old')];
  await run('mkdir', ['-p', '-m', '700', root]);
  for (const [kind, count] of shapes) {
    await makeTree(join(files, kind), kind, count);
    await makeTree(join(staged, kind), kind, count);
  }
  host = await inTime('the start', startTestHost({ workDirectory }));
  expect(host.host.mode()).toBe('APP');
  expect(await readdir(root).catch(() => [])).not.toContain('runtime-files');
  await expect
    .poll(async () => [await readdir(host.paths.staging), await readdir(root).catch(() => [])], {
      timeout: stepLimitMs,
    })
    .toEqual([[], []]);
});

it('stopping does not wait for the cleanup, and the next start continues it', async () => {
  const { workDirectory } = host;
  await host.stop();
  // More than can be deleted in half a second.
  await makeTree(join(host.paths.staging, 'data-old'), 'many', 60_000);
  host = await startTestHost({ workDirectory });
  await host.stop();
  expect(await readdir(host.paths.staging)).toEqual(['data-old']);
  host = await startTestHost({ workDirectory });
  await expect.poll(() => readdir(host.paths.staging), { timeout: stepLimitMs }).toEqual([]);
});

it('stopping while data is deleted reports what remains, which the next start deletes', async () => {
  await makeTree(join(dataFolder(), 'tree'), 'many', 20_000);
  const query = { deleteData: 'true' } as const;
  const uninstall = host.client.call(api.market.uninstall, { params: { id }, query }).then(
    () => null,
    (error: unknown) => error,
  );
  const staged = () => readdir(host.paths.staging);
  await expect.poll(staged, { timeout: stepLimitMs }).toEqual([expect.stringMatching(/^data-/)]);
  const [aside = ''] = await staged();
  // More files than any disk deletes before the stop.
  const cwd = join(host.paths.staging, aside);
  const writer = spawn(process.execPath, ['-e', endlessFolders], { cwd });
  const { workDirectory } = host;
  try {
    await expect.poll(async () => (await readdir(cwd)).join()).toContain('more-');
    await inTime('the stop', host.stop());
  } finally {
    writer.kill('SIGKILL');
  }
  expect(await uninstall).toMatchObject({ problem: { status: 409, code: 'data_left_over' } });
  host = await startTestHost({ workDirectory });
  await expect.poll(staged, { timeout: stepLimitMs }).toEqual([]);
  await expect(stat(dataFolder())).rejects.toThrow(/ENOENT/);
  expect(await host.client.call(api.market.list)).toEqual([]);
});

it('an export ends when its client disconnects, also while it skips files', async () => {
  const ref = await host.client.call(api.files.output, { params: { id } });
  const folder = await outputFolder();
  await makeTree(folder, 'many', 5_000);
  const answer = await host.open(`/api/plugin-runtime/${id}/files/export/${ref.id}`, {});
  answer.drop();
  await rm(join(folder, 'part-0'), { recursive: true });
  const handles = async (): Promise<string> =>
    (await run('ls', ['-l', '/proc/self/fd', `/proc/${process.pid}/fd`])).stdout;
  await expect.poll(async () => (await handles()).includes(folder)).toBe(false);
});

it('a granted file with a huge sparse size is listed instead of being read', async () => {
  const upload = { params: { id }, files: [{ blob: new Blob(['A']) }] };
  const fields = { 'paths[]': ['docs/a.txt'], access: 'read-write' as const };
  const ref = await host.client.call(api.files.uploadDirectory, { ...upload, fields });
  expect(ref.kind).toBe('directory');
  const plugin = join(await grantRoot(), 'runtime-files', id);
  const found = await run('find', [plugin, '-name', 'a.txt']);
  await run('truncate', ['-s', '400G', found.stdout.trim()]);
  const parts = await inTime('the export', exported(ref));
  expect([...parts.keys()]).toEqual([notExported]);
});

it.runIf(process.getuid?.() === 0)(
  'data that cannot be deleted is kept, and so is the plugin',
  async () => {
    await makeTree(join(dataFolder(), 'tree'), 'deep', 3_000);
    await mkdir(join(dataFolder(), 'held'));
    await writeFile(join(dataFolder(), 'held', 'file'), 'held');
    await run('chattr', ['+i', join(dataFolder(), 'held', 'file')]);
    try {
      const query = { deleteData: 'true' } as const;
      await expect(
        host.client.call(api.market.uninstall, { params: { id }, query }),
      ).rejects.toMatchObject({ problem: { status: 409, code: 'cannot_delete' } });
      expect((await readdir(dataFolder())).sort()).toEqual(['held', 'tree']);
      expect(await invoke(host, id, 'echo', { a: 1 })).toEqual({ a: 1 });
    } finally {
      await run('chattr', ['-i', join(dataFolder(), 'held', 'file')]);
    }
  },
);
