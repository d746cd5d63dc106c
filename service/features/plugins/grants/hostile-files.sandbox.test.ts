import { randomUUID } from 'node:crypto';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api, type FileRef } from '../../../contract/index.ts';
import { backupOf, unzip } from '../../../testing/backups.ts';
import { installEscaping } from '../../../testing/escaping-plugin.ts';
import { invoke } from '../../../testing/sample-plugin.ts';
import { testDesktop } from '../../../testing/test-desktop.ts';
import { startTestHost, type TestHostOptions } from '../../../testing/test-host.ts';
import { useFolder, useForFile } from '../../../testing/use-for-file.ts';

const hostile = 'acme.hostile';
const victim = 'acme.victim';
const files = ['files.read', 'files.write'];
const secret = 'nobody but the user';
const withSandbox: TestHostOptions = {
  sandboxPath: process.env['PATH'],
  desktop: testDesktop(),
};

const outside = await useFolder('outside-');
const test = await useForFile(startTestHost(withSandbox));

beforeAll(async () => {
  await writeFile(join(outside, 'secret.txt'), secret);
  await installEscaping(test, hostile, files);
  await installEscaping(test, victim, files);
  await invoke(test, victim, 'write', { path: '/data/own.txt' });
});
afterEach(async () => {
  expect(await readdir(outside), 'what lies outside stays as it is').toEqual(['secret.txt']);
  expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe(secret);
});

const attempt = (method: string, params: object = {}, id = hostile): Promise<unknown> =>
  invoke(test, id, method, params);
const problem = (status: number, code: string): object => ({ problem: { status, code } });
const output = (id = hostile): Promise<FileRef> =>
  test.client.call(api.files.output, { params: { id }, body: { name: 'results' } });
const directory = (access: 'read' | 'read-write' = 'read-write'): Promise<FileRef> =>
  test.client.call(api.files.uploadDirectory, {
    params: { id: hostile },
    files: [{ blob: new Blob(['A']) }, { blob: new Blob(['B']) }],
    fields: { 'paths[]': ['docs/a.txt', 'docs/sub/b.txt'], access },
  });
const uploadFile = (id = hostile): Promise<FileRef> =>
  test.client.call(api.files.upload, {
    params: { id },
    file: new Blob(['granted']),
    fileName: 'a.txt',
  });
const exported = async (ref: FileRef): Promise<Map<string, Buffer>> => {
  const answer = await test.client.open(api.files.exportOutput, {
    query: { format: 'zip' },
    params: { id: hostile, ref: ref.id },
  });
  return unzip(Buffer.from(await answer.arrayBuffer()));
};
const pathOf = async (ref: FileRef, id = hostile): Promise<string> =>
  ((await invoke(test, id, 'received', { path: ref })) as { path: string }).path;
const setEnabled = (enabled: boolean, id = hostile): Promise<unknown> =>
  test.client.call(api.market.setEnabled, { params: { id }, body: { enabled } });
/** Returns the folder where the host of this test stores granted files. */
const treeOf = async (ofPlugin = hostile): Promise<string | undefined> => {
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name, 'runtime-files');
    if (!name.startsWith('plugin-host-')) continue;
    if ((await readdir(folder).catch((): string[] => [])).includes(ofPlugin)) return folder;
  }
  return undefined;
};

/** Returns every target that a link may try to reach. */
const targets = (): string[] => [
  '/etc',
  outside,
  join(outside, 'secret.txt'),
  test.paths.config,
  test.paths.machineId,
  join(test.paths.pluginData, victim),
];

describe('links created by a worker', () => {
  it('in its results are left out of the archive', async () => {
    const ref = await output();
    const path = await pathOf(ref);
    await attempt('write', { path: `${path}/own.txt` });
    for (const [index, to] of targets().entries())
      expect(await attempt('link', { path: `${path}/link-${index}`, to })).toEqual({ done: true });
    const found = await exported(ref);
    expect([...found.keys()]).toEqual(['own.txt']);
    expect(found.get('own.txt')?.toString()).toBe('was here');
  });

  it('in place of a granted folder make the archive fail', async () => {
    for (const to of [outside, test.paths.config, join(test.paths.pluginData, victim)]) {
      const results = await output();
      expect(await attempt('replace', { path: results, to })).toEqual({ done: true });
      await expect(exported(results)).rejects.toMatchObject(problem(409, 'grant_changed'));
      const copy = await directory();
      const above = (await pathOf(copy)).replace(/\/docs$/, '');
      const folder = `${above}/docs`;
      expect(await attempt('replace', { path: above, to })).toEqual({ done: true });
      expect(await attempt('read', { path: `${folder}/a.txt` })).toEqual({ failed: 'ENOENT' });
      await expect(exported(copy)).rejects.toMatchObject(problem(409, 'grant_changed'));
    }
  });

  it('cannot replace the folders into which the host puts files', async () => {
    const paths = [await output(), await directory()].map((ref) => pathOf(ref));
    for (const path of await Promise.all(paths)) {
      const folder = path.replace(/(\/(in|out)\/).*$/, '$1').slice(0, -1);
      expect(folder).toMatch(/^\/files\/write\/(in|out)$/);
      for (const each of [folder, '/files/write', '/files', '/data', '/files/read'])
        expect(await attempt('replace', { path: each, to: outside })).toEqual({
          failed: expect.stringMatching(/^(EBUSY|EROFS|EACCES|EPERM|EXDEV)$/) as unknown,
        });
    }
    const after = await directory();
    expect(await attempt('read', { path: `${await pathOf(after)}/sub/b.txt` })).toEqual({
      done: 'B',
    });
  });

  it('that appear and disappear while an archive is made are never followed', async () => {
    const ref = await output();
    const path = await pathOf(ref);
    await attempt('flip', { path: `${path}/part`, file: 'secret.txt', to: outside });
    for (let round = 0; round < 60; round += 1) {
      const found = [...(await exported(ref))].filter(([name]) => !name.endsWith('/'));
      for (const [name, content] of found) {
        const isList = name === 'NOT-EXPORTED.txt';
        const expected = isList
          ? /^These are not in the archive[^]+\n(part|\.aside)[/\w.]*\n$/
          : /^was here$/;
        expect(content.toString(), name).toMatch(expected);
      }
    }
    await setEnabled(false);
    await setEnabled(true);
  });

  it('in its data are not included in a backup, and are deleted with the data', async () => {
    const id = 'acme.linking';
    await installEscaping(test, id);
    for (const [index, to] of targets().entries())
      await attempt('link', { path: `/data/link-${index}`, to }, id);
    await attempt('link', { path: '/data/database', to: join(test.paths.host, 'database') }, id);
    await attempt('write', { path: '/data/own.txt' }, id);
    const names = [...(await unzip(await backupOf(test))).keys()];
    expect(names.filter((name) => name.includes(`plugin-data/${id}/`))).toEqual([
      `plugin-data/${id}/own.txt`,
    ]);
    await test.client.call(api.market.uninstall, { params: { id }, query: { deleteData: 'true' } });
    await expect(stat(join(test.paths.pluginData, id))).rejects.toThrow(/ENOENT/);
    expect(await readdir(join(test.paths.pluginData, victim))).toEqual(['own.txt']);
    expect(await readdir(test.paths.database)).toContain('host.db');
  });

  it('are not followed when the host closes', async () => {
    const own = await startTestHost(withSandbox);
    try {
      await installEscaping(own, hostile, files);
      const to = await mkdtemp(join(tmpdir(), 'led-to-'));
      await writeFile(join(to, 'kept.txt'), 'kept');
      const ref = await own.client.call(api.files.output, { params: { id: hostile } });
      for (const [index, target] of [to, join(to, 'kept.txt')].entries()) {
        const seen = (await invoke(own, hostile, 'received', { path: ref })) as { path: string };
        const link = { path: `${seen.path}/${index}`, to: target };
        expect(await invoke(own, hostile, 'link', link)).toEqual({ done: true });
      }
      await invoke(own, hostile, 'replace', { path: ref, to });
      await own.stop();
      expect(await readdir(to)).toEqual(['kept.txt']);
      await rm(to, { recursive: true });
    } finally {
      await own.close();
    }
  });
});

describe('a granted file of the user', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'native-')));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const native = (path: string, access: 'read' | 'read-write'): Promise<FileRef> =>
    test.client.call(api.files.native, {
      params: { id: hostile },
      body: { path, kind: 'directory', access },
    });

  it('is not mounted if a worker has replaced it', async () => {
    const inner = join(folder, 'project', 'inner');
    await mkdir(inner, { recursive: true });
    const project = await native(join(folder, 'project'), 'read-write');
    const ref = await native(inner, 'read');
    const seen = await pathOf(ref);
    expect(await attempt('list', { path: seen })).toEqual({ done: [] });
    const path = `${await pathOf(project)}/inner`;
    expect(await attempt('replace', { path, to: outside })).toEqual({ done: true });
    await setEnabledWithGrants();
    expect(await attempt('list', { path: seen })).toEqual({ failed: 'ENOENT' });
    await expect(attempt('list', { path: ref })).rejects.toMatchObject(
      problem(409, 'grant_changed'),
    );
    await expect(exported(ref)).rejects.toMatchObject(problem(409, 'grant_changed'));
  });

  it('that is missing does not prevent the worker from starting', async () => {
    const removed = join(folder, 'gone');
    await mkdir(removed);
    const ref = await native(removed, 'read');
    expect(await attempt('list', { path: ref })).toEqual({ done: [] });
    await rm(removed, { recursive: true });
    await setEnabledWithGrants();
    expect(await attempt('whoami')).toMatchObject({ cwd: '/data' });
    await expect(attempt('list', { path: ref })).rejects.toMatchObject(
      problem(409, 'grant_changed'),
    );
  });

  /** Restarts the worker; its grants remain. */
  async function setEnabledWithGrants(): Promise<void> {
    const other = join(folder, randomUUID());
    await mkdir(other);
    await native(other, 'read');
  }
});

describe('the grants of a plugin', () => {
  it('are kept while it is disabled', async () => {
    const id = 'acme.disabled';
    await installEscaping(test, id, files);
    const ref = await uploadFile(id);
    await setEnabled(false, id);
    await setEnabled(true, id);
    expect(await test.client.call(api.files.list, { params: { id } })).toEqual([ref]);
    expect(await attempt('read', { path: ref }, id)).toEqual({ done: 'granted' });
  });

  it('end when it is uninstalled', async () => {
    const id = 'acme.uninstalled';
    await installEscaping(test, id, files);
    const refs = [await uploadFile(id), await output(id)];
    const paths = await Promise.all(refs.map((ref) => pathOf(ref, id)));
    const tree = join((await treeOf(id)) ?? '', id);
    expect(await readdir(tree)).toHaveLength(2);
    const query = { deleteData: 'false' } as const;
    await test.client.call(api.market.uninstall, { params: { id }, query });
    await expect(stat(tree)).rejects.toThrow(/ENOENT/);
    await installEscaping(test, id, files);
    expect(await test.client.call(api.files.list, { params: { id } })).toEqual([]);
    for (const ref of refs) {
      await expect(attempt('read', { path: ref }, id)).rejects.toMatchObject(
        problem(404, 'unknown_grant'),
      );
      await expect(
        test.client.open(api.files.exportOutput, { params: { id, ref: ref.id } }),
      ).rejects.toMatchObject(problem(404, 'unknown_grant'));
    }
    for (const path of paths)
      expect(await attempt('list', { path }, id)).toEqual({ failed: 'ENOENT' });
    expect(await attempt('read', { path: await uploadFile(id) }, id)).toEqual({ done: 'granted' });
  });
});

describe('the tree of granted files', () => {
  const upload = '--b\r\nContent-Disposition: form-data; name="files"; filename="f"\r\n\r\n';

  it('is deleted when the host closes in the middle of an upload', async () => {
    const id = 'acme.closing';
    const own = await startTestHost(withSandbox);
    try {
      await installEscaping(own, id, ['files.read']);
      const before = await own.client.call(api.files.upload, {
        params: { id },
        file: new Blob(['x']),
        fileName: 'x',
      });
      expect(before.size).toBe(1);
      const root = join((await treeOf(id)) ?? '', '..');
      const socket = connect(own.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `POST /api/plugin-runtime/${id}/files/upload-directory HTTP/1.1\r\n` +
          `Host: 127.0.0.1:${own.port}\r\nX-Host-Token: ${own.token}\r\n` +
          `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 10000000\r\n\r\n` +
          upload +
          'y'.repeat(1_000_000),
      );
      const incoming = join(root, 'runtime-files', '.incoming');
      const arriving = async (): Promise<string[]> =>
        (await readdir(incoming, { recursive: true }).catch(() => [])).map(String);
      await expect.poll(arriving).toHaveLength(2);
      await own.stop();
      await expect(stat(root)).rejects.toThrow(/ENOENT/);
      socket.destroy();
    } finally {
      await own.close();
    }
  });

  it('is not touched by another host', async () => {
    const id = 'acme.other-host';
    const mine = await uploadFile();
    const own = await startTestHost(withSandbox);
    await installEscaping(own, id, ['files.read']);
    const params = { id };
    await own.client.call(api.files.upload, { params, file: new Blob(['x']), fileName: 'x' });
    const [here, there] = [await treeOf(), await treeOf(id)];
    expect(here).not.toBe(there);
    await own.close();
    await expect(stat(there ?? '')).rejects.toThrow(/ENOENT/);
    expect(await attempt('read', { path: mine })).toEqual({ done: 'granted' });
  });

  it('left by a killed host is deleted at the next start, by whatever path its directory is opened', async () => {
    const id = 'acme.killed';
    const parent = await mkdtemp(join(tmpdir(), 'linked-'));
    const workDirectory = join(parent, 'real', 'work');
    const linked = join(parent, 'link', 'work');
    await mkdir(workDirectory, { recursive: true });
    await symlink(join(parent, 'real'), join(parent, 'link'));
    const first = await startTestHost({ ...withSandbox, workDirectory: linked });
    await installEscaping(first, id, files);
    expect(await invoke(first, id, 'whoami')).toMatchObject({ cwd: '/data' });
    const params = { id };
    await first.client.call(api.files.upload, { params, file: new Blob(['x']), fileName: 'x' });
    const tree = (await treeOf(id)) ?? '';
    const saved = join(parent, 'saved');
    await cp(tree, saved, { recursive: true });
    await first.stop();
    // Simulates the leftovers of a killed host, also under its fallback name.
    const odd = `${join(tree, '..')}-A1b2C3`;
    await mkdir(odd, { mode: 0o700 });
    await mkdir(join(tree, '..'), { mode: 0o700 });
    await cp(saved, join(odd, 'runtime-files'), { recursive: true });
    await rename(saved, tree);
    const second = await startTestHost({ ...withSandbox, workDirectory });
    try {
      const remaining = () => readdir(join(tree, '..')).catch(() => []);
      expect(await remaining()).not.toContain('runtime-files');
      await expect.poll(remaining).toEqual([]);
      await expect.poll(() => readdir(odd).catch(() => [])).toEqual([]);
      expect(await treeOf(), 'that of a host that runs stays').toBeDefined();
      expect(await invoke(second, id, 'whoami')).toMatchObject({ cwd: '/data' });
    } finally {
      await second.stop();
      await rm(parent, { recursive: true });
    }
  });
});

describe('switching the sandbox off during a call', () => {
  it('rejects the call, and the next one runs without the sandbox', async () => {
    const set = (unsandboxedPlugins: boolean): Promise<unknown> =>
      test.client.call(api.settings.put, { body: { unsandboxedPlugins } });
    expect(await attempt('whoami')).toMatchObject({ cwd: '/data' });
    const settled = attempt('hang', { path: '/data/hanging' }).then(
      () => 'finished',
      (error: unknown) => (error as { problem?: { status: number } }).problem?.status,
    );
    const startedFile = join(test.paths.pluginData, hostile, 'hanging');
    await expect.poll(() => readFile(startedFile, 'utf8').catch(() => '')).toBe('was here');
    await set(true);
    expect(await settled).toBe(502);
    expect(await attempt('whoami')).toMatchObject({ cwd: join(test.paths.pluginData, hostile) });
    await set(false);
    expect(await attempt('whoami')).toMatchObject({ cwd: '/data' });
  });
});
