import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type FileRef } from '../../../contract/index.ts';
import { installEscaping } from '../../../testing/escaping-plugin.ts';
import { invoke } from '../../../testing/sample-plugin.ts';
import { testDesktop } from '../../../testing/test-desktop.ts';
import { startTestHost, type TestHost } from '../../../testing/test-host.ts';

const both = 'acme.both';
const reader = 'acme.reader';
const nothing = 'acme.nothing';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost({
    sandboxPath: process.env['PATH'],
    desktop: testDesktop(),
  });
  await installEscaping(test, both, ['files.read', 'files.write']);
  await installEscaping(test, reader, ['files.read']);
  await installEscaping(test, nothing);
});
afterAll(() => test.close());

const grantFile = (text: string, id = both, fileName = 'a.txt'): Promise<FileRef> =>
  test.client.call(api.files.upload, { params: { id }, file: new Blob([text]), fileName });
const grantDirectory = (
  tree: Record<string, string>,
  { id = both, access }: { id?: string; access?: 'read' | 'read-write' } = {},
): Promise<FileRef> =>
  test.client.call(api.files.uploadDirectory, {
    params: { id },
    files: Object.values(tree).map((text) => ({ blob: new Blob([text]) })),
    fields: { 'paths[]': Object.keys(tree), access },
  });
/** Calls a method with the grant in place of a path. */
const withPath = (method: string, ref: unknown, id = both): Promise<unknown> =>
  invoke(test, id, method, { path: ref });
const problem = (status: number, code: string): object => ({ problem: { status, code } });
const runtimeFiles = async (): Promise<string> => {
  const seen = (await invoke(test, both, 'received', { path: await grantFile('x') })) as {
    path: string;
  };
  expect(seen.path).toMatch(/^\/files\/read\/in\//);
  const roots = (await readdir(tmpdir())).filter((name) => name.startsWith('plugin-host-'));
  for (const name of roots) {
    const folder = join(tmpdir(), name, 'runtime-files');
    if ((await readdir(folder).catch(() => [])).some((name) => name === both)) return folder;
  }
  throw new Error('There is no tree of granted files.');
};

describe('an uploaded file', () => {
  it('is returned as a FileRef without a path, and can be read by the worker [GRANT-01, GRANT-02, GRANT-03, GRANT-04, GRANT-07, GRANT-11]', async () => {
    const ref = await grantFile('granted');
    expect(ref).toEqual({
      id: expect.stringMatching(/^ref_[0-9a-f-]{36}$/) as unknown,
      name: 'a.txt',
      kind: 'file',
      access: 'read',
      size: 7,
    });
    expect(await withPath('read', ref)).toEqual({ done: 'granted' });
    const { id, kind, access } = ref;
    expect(await withPath('read', { id, kind, access })).toEqual({ done: 'granted' });
    expect(await test.client.call(api.files.list, { params: { id: both } })).toContainEqual(ref);
  });

  it('can be read but not written by a worker that is already running [GRANT-09]', async () => {
    const { pid } = (await invoke(test, both, 'whoami')) as { pid: number };
    const ref = await grantFile('later');
    expect(await withPath('read', ref)).toEqual({ done: 'later' });
    expect(await withPath('write', ref)).toEqual({ failed: 'EROFS' });
    expect(await invoke(test, both, 'whoami')).toMatchObject({ pid });
  });

  it('keeps its name, and is stored under a safe one', async () => {
    for (const name of ['../../etc/passwd', 'CON', 'ä ö.txt']) {
      const ref = await grantFile('odd', both, name);
      expect(ref.name).toBe(name.split('/').at(-1));
      expect(await withPath('read', ref)).toEqual({ done: 'odd' });
    }
  });

  it('with control characters in its name is refused', async () => {
    await expect(grantFile('odd', both, 'a\u0001b')).rejects.toThrow(/control characters. Rename/);
  });

  it('is stored in the tree of its plugin, which is deleted with the host [GRANT-05, GRANT-19, GRANT-20, LIMIT-25]', async () => {
    const other = await startTestHost({ workDirectory: test.workDirectory + '-other' });
    await other.close();
    const folder = await runtimeFiles();
    expect(((await stat(join(folder, '..'))).mode & 0o777).toString(8)).toBe('700');
    await test.client.call(api.files.output, { params: { id: both } });
    const trees = await readdir(join(folder, both));
    const kinds = await Promise.all(trees.map((tree) => readdir(join(folder, both, tree))));
    expect(kinds.flat().sort()).toEqual(expect.arrayContaining(['in', 'out']) as unknown);
    const { workDirectory } = test;
    const granted = await grantFile('before');
    await test.stop();
    await expect(stat(folder)).rejects.toThrow(/ENOENT/);
    test = await startTestHost({
      workDirectory,
      sandboxPath: process.env['PATH'],
      desktop: testDesktop(),
    });
    expect(await test.client.call(api.files.list, { params: { id: both } })).toEqual([]);
    await expect(withPath('read', granted)).rejects.toMatchObject(problem(404, 'unknown_grant'));
  });
});

describe('an uploaded directory', () => {
  const tree = { 'docs/a.txt': 'A', 'docs/sub/b.txt': 'BB', 'docs/sub/ü/c.txt': 'CCC' };

  it('is recreated with its structure, for reading [GRANT-12]', async () => {
    const ref = await grantDirectory(tree);
    expect(ref).toMatchObject({ name: 'docs', kind: 'directory', access: 'read', size: 6 });
    expect(await withPath('list', ref)).toEqual({ done: ['a.txt', 'sub'] });
    const { path } = (await invoke(test, both, 'received', { path: ref })) as { path: string };
    expect(await withPath('read', `${path}/sub/ü/c.txt`)).toEqual({ done: 'CCC' });
    expect(await withPath('write', `${path}/new.txt`)).toEqual({ failed: 'EROFS' });
  });

  it('is writable on request, and is exported as a zip [GRANT-13, GRANT-17]', async () => {
    const ref = await grantDirectory(tree, { access: 'read-write' });
    const { path } = (await invoke(test, both, 'received', { path: ref })) as { path: string };
    expect(await withPath('write', `${path}/new.txt`)).toEqual({ done: true });
    const answer = await test.client.open(api.files.exportOutput, {
      params: { id: both, ref: ref.id },
    });
    expect(answer.headers.get('content-disposition')).toContain('docs.zip');
    const bytes = Buffer.from(await answer.arrayBuffer());
    for (const name of ['a.txt', 'sub/b.txt', 'sub/ü/c.txt', 'new.txt'])
      expect(bytes.includes(name), name).toBe(true);
  });

  it.each([
    ['more paths than files', ['a', 'b'], 1],
    ['fewer paths than files', ['a'], 2],
    ['the same path twice', ['a', 'a'], 2],
    ['a file and a directory of one name', ['a', 'a/b'], 2],
    ['two names that differ in case', ['A', 'a'], 2],
    ['a path that leads up', ['../a'], 1],
    ['a path that leads up later', ['a/../../b'], 1],
    ['a path that leads up in the way of Windows', ['..\\x'], 1],
    ['a part that is a dot', ['./a'], 1],
    ['an absolute path', ['/etc/passwd'], 1],
    ['a path of Windows', ['C:\\a'], 1],
    ['a name of a device', ['dir/CON'], 1],
    ['a zero byte', ['a\0b'], 1],
    ['an empty path', [''], 1],
  ])(
    'with %s is refused, and leaves nothing behind [GRANT-21, GRANT-22]',
    async (_, paths, count) => {
      const before = await test.client.call(api.files.list, { params: { id: both } });
      const call = test.client.call(api.files.uploadDirectory, {
        params: { id: both },
        files: Array.from({ length: count }, () => ({ blob: new Blob(['x']) })),
        fields: { 'paths[]': paths },
      });
      await expect(call).rejects.toMatchObject(problem(400, 'invalid_paths'));
      expect(await test.client.call(api.files.list, { params: { id: both } })).toEqual(before);
    },
  );

  it('of a thousand files is accepted completely', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, i) => [`many/${i % 10}/f${i}.txt`, `text ${i}`]),
    );
    const ref = await grantDirectory(many);
    const { path } = (await invoke(test, both, 'received', { path: ref })) as { path: string };
    expect(await withPath('read', `${path}/7/f997.txt`)).toEqual({ done: 'text 997' });
  });
});

describe('an output directory', () => {
  it('is empty and writable [GRANT-16]', async () => {
    const ref = await test.client.call(api.files.output, {
      params: { id: both },
      body: { name: 'results' },
    });
    expect(ref).toMatchObject({ name: 'results', kind: 'directory', access: 'write', size: 0 });
    const { path } = (await invoke(test, both, 'received', { path: ref })) as { path: string };
    expect(await withPath('list', path)).toEqual({ done: [] });
    expect(await withPath('write', `${path}/out.txt`)).toEqual({ done: true });
    expect(await withPath('read', `${path}/out.txt`)).toEqual({ done: 'was here' });
  });
});

describe('a grant in params', () => {
  it('is replaced at any position; an id alone stays text [GRANT-08]', async () => {
    const ref = await grantFile('deep');
    let deep: unknown = ref;
    for (let level = 0; level < 50; level += 1) deep = level % 2 === 0 ? [deep] : { in: deep };
    const params = {
      deep,
      list: [ref, { a: { b: ref } }],
      id: ref.id,
      text: 'x'.repeat(1_000_000),
    };
    const seen = (await invoke(test, both, 'received', params)) as typeof params;
    const text = JSON.stringify(seen);
    expect(text.match(/\/files\/read\/in\//g)).toHaveLength(3);
    expect(seen.id).toBe(ref.id);
    expect(seen.text).toBe(params.text);
  });

  it('is refused if it belongs to another plugin, is unknown or was changed [GRANT-06, GRANT-10, GRANT-18]', async () => {
    const ref = await grantFile('mine');
    const refused: [unknown, string, number, string][] = [
      [ref, reader, 404, 'unknown_grant'],
      [
        { ...ref, id: `ref_${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}` },
        both,
        404,
        'unknown_grant',
      ],
      [{ ...ref, access: 'read-write' }, both, 403, 'grant_mismatch'],
      [{ ...ref, kind: 'directory' }, both, 403, 'grant_mismatch'],
    ];
    for (const [value, id, status, code] of refused)
      await expect(withPath('read', [[{ value }]], id)).rejects.toMatchObject(
        problem(status, code),
      );
  });

  it('requires the permission of the plugin [GRANT-18]', async () => {
    const lacking = problem(403, 'missing_permission');
    await expect(grantFile('x', nothing)).rejects.toMatchObject(lacking);
    await expect(
      grantDirectory({ a: 'x' }, { id: reader, access: 'read-write' }),
    ).rejects.toMatchObject(lacking);
    const params = { id: reader };
    await expect(test.client.call(api.files.output, { params })).rejects.toMatchObject(lacking);
    const { id: ref } = await grantFile('x', reader);
    await expect(
      test.client.open(api.files.exportOutput, { params: { id: reader, ref } }),
    ).rejects.toMatchObject(lacking);
  });
});

describe('a file of the user', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'native-'));
    await writeFile(join(folder, 'own.txt'), 'own');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const native = (
    path: string,
    access: 'read' | 'read-write',
    kind: FileRef['kind'],
  ): Promise<FileRef> =>
    test.client.call(api.files.native, { params: { id: both }, body: { path, kind, access } });

  it('is used in place, with the granted access [GRANT-14]', async () => {
    const ref = await native(join(folder, 'own.txt'), 'read', 'file');
    expect(await withPath('read', ref)).toEqual({ done: 'own' });
    expect(await withPath('write', ref)).toEqual({ failed: 'EROFS' });
    const directory = await native(folder, 'read-write', 'directory');
    const { path } = (await invoke(test, both, 'received', { path: directory })) as {
      path: string;
    };
    expect(await withPath('write', `${path}/new.txt`)).toEqual({ done: true });
    expect(await readFile(join(folder, 'new.txt'), 'utf8')).toBe('was here');
    expect(JSON.stringify([ref, directory])).not.toContain(folder);
  });

  it('that is missing or of another type is reported', async () => {
    await expect(native(join(folder, 'none'), 'read', 'file')).rejects.toMatchObject(
      problem(404, 'unknown_path'),
    );
    await expect(native('relative', 'read', 'file')).rejects.toMatchObject(
      problem(404, 'unknown_path'),
    );
    await expect(native(folder, 'read', 'file')).rejects.toMatchObject(problem(400, 'wrong_kind'));
  });

  it('that was replaced by a link is refused (G-05)', async () => {
    const path = join(folder, 'place');
    await writeFile(path, 'first');
    const ref = await native(path, 'read', 'file');
    await rename(path, `${path}-before`);
    await symlink('/etc/shadow', path);
    await expect(withPath('read', ref)).rejects.toMatchObject(problem(409, 'grant_changed'));
  });

  it('cannot be granted without the desktop [GRANT-15]', async () => {
    const headless = await startTestHost();
    try {
      await installEscaping(headless, both, ['files.read']);
      await expect(
        headless.client.call(api.files.native, {
          params: { id: both },
          body: { path: folder, kind: 'directory', access: 'read' },
        }),
      ).rejects.toMatchObject(problem(501, 'desktop_only'));
    } finally {
      await headless.close();
    }
  });
});
