import { execFile } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { codeOf } from '../../../platform/archives/archive-problems.ts';
import { copyPlainFolder } from './copy-plain-folder.ts';

const run = promisify(execFile);
const secret = 'nobody but the user';
let root: string;
let from: string;
let to: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'copy-'));
  from = join(root, 'from');
  to = join(root, 'to');
  await mkdir(join(from, 'sub', 'empty'), { recursive: true });
  await writeFile(join(from, 'a.txt'), 'one');
  await writeFile(join(from, 'sub', 'b.txt'), 'three');
  await mkdir(join(root, 'outside'));
  await writeFile(join(root, 'outside', 'b.txt'), secret);
});
afterEach(() => rm(root, { recursive: true }));

it('copies files and folders, and returns the total size', async () => {
  expect(await copyPlainFolder(from, to)).toBe(8);
  expect((await readdir(to, { recursive: true })).sort()).toEqual(
    ['a.txt', 'sub', 'sub/b.txt', 'sub/empty'].sort(),
  );
  expect(await readFile(join(to, 'sub', 'b.txt'), 'utf8')).toBe('three');
});

it('follows a link to a folder, since the user chose it', async () => {
  await symlink(from, join(root, 'link'));
  expect(await copyPlainFolder(join(root, 'link'), to)).toBe(8);
});

it.each([
  ['a link to a file', () => symlink('/etc/passwd', join(from, 'sub', 'odd'))],
  ['a link to a folder', () => symlink(join(root, 'outside'), join(from, 'sub', 'odd'))],
  ['a link that leads nowhere', () => symlink('nowhere', join(from, 'sub', 'odd'))],
  ['a named pipe', () => run('mkfifo', [join(from, 'sub', 'odd')])],
])('refuses a folder that contains %s, without waiting for it', async (_what, add) => {
  await add();
  await expect(copyPlainFolder(from, to)).rejects.toMatchObject({
    code: 'not_plain',
    message: expect.stringContaining('sub/odd') as unknown,
  });
});

it('refuses a folder that contains a socket', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(from, 'odd'), resolve));
  await expect(copyPlainFolder(from, to)).rejects.toMatchObject({ code: 'not_plain' });
  await new Promise((resolve) => server.close(resolve));
});

it.each(['a file', 'a folder'])(
  'never copies content from outside while %s is swapped for a link a thousand times',
  async (what) => {
    const [path, target] =
      what === 'a file'
        ? [join(from, 'sub', 'b.txt'), join(root, 'outside', 'b.txt')]
        : [join(from, 'sub'), join(root, 'outside')];
    const aside = join(root, 'aside');
    let swaps = 0;
    const swapping = (async () => {
      for (; swaps < 1_000; swaps += 1) {
        await rename(path, aside);
        await symlink(target, path);
        await rm(path);
        await rename(aside, path);
      }
    })();
    let copies = 0;
    while (swaps < 1_000) {
      const copy = join(root, `copy-${copies}`);
      copies += 1;
      const failed = await copyPlainFolder(from, copy).then(
        () => null,
        (error: unknown) => error,
      );
      if (failed !== null) expect(codeOf(failed)).toMatch(/^(?:not_plain|ENOENT)$/);
      const names = await readdir(copy, { recursive: true, withFileTypes: true });
      for (const entry of names.filter((one) => one.isFile()))
        expect(await readFile(join(entry.parentPath, entry.name), 'utf8')).not.toContain(secret);
    }
    await swapping;
    expect(copies).toBeGreaterThan(1);
  },
);
