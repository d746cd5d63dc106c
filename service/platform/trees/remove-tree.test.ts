import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTree, type TreeKind } from '../../testing/hostile-trees.ts';
import { removeTree } from './remove-tree.ts';
import { bytesBelow, sizeOfTree } from './tree-size.ts';

const run = promisify(execFile);
let home: string;
let tree: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'trees-'));
  tree = join(home, 'tree');
  await mkdir(join(home, 'kept'));
  await writeFile(join(home, 'kept', 'file'), 'kept');
});
// Cleans up independently of the code under test.
afterEach(() => run('rm', ['-rf', home]));

describe('a tree of any shape is deleted', () => {
  it.each<[TreeKind, number]>([
    ['deep', 3_000],
    ['many', 5_000],
    ['flat', 5_000],
    ['wide', 12_000],
    ['bytes', 0],
    ['special', 0],
    ['hollow', 0],
  ])('when it is %s (%i)', async (kind, count) => {
    await makeTree(tree, kind, count);
    await removeTree(tree);
    expect(await readdir(home)).toEqual(['kept']);
    expect(await readdir(join(home, 'kept'))).toEqual(['file']);
  });

  it('also below a long path', async () => {
    const long = join(
      home,
      ...Array.from({ length: 12 }, (_, at) => `${at}`.repeat(240).slice(0, 240)),
    );
    await makeTree(join(long, 'tree'), 'deep', 3_000);
    await removeTree(join(long, 'tree'));
    expect(await readdir(long)).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('by a user who may not read all of it', async () => {
    await makeTree(tree, 'special');
    await makeTree(join(tree, 'more'), 'deep', 3_000);
    await run('chown', ['-hR', '12345:12345', home]);
    const script =
      `import { removeTree } from ${JSON.stringify(join(import.meta.dirname, 'remove-tree.ts'))};` +
      `await removeTree(${JSON.stringify(tree)});`;
    // Without permission to list the folder, it would end here.
    await run(process.execPath, ['--input-type=module', '--eval', script], {
      uid: 12345,
      gid: 12345,
      cwd: '/',
    });
    expect(await readdir(home)).toEqual(['kept']);
  });

  it('if it is missing, a file, or a broken link', async () => {
    await removeTree(tree);
    await writeFile(tree, '');
    await removeTree(tree);
    await symlink(join(home, 'kept'), tree);
    await removeTree(tree);
    expect(await readdir(home)).toEqual(['kept']);
    expect(await readdir(join(home, 'kept'))).toEqual(['file']);
  });

  it('links that replace its folders meanwhile are not followed', async () => {
    const outside = join(home, 'kept');
    for (let round = 0; round < 40; round += 1) {
      const [part, aside] = [join(tree, 'a', 'part'), join(tree, 'a', 'aside')];
      await mkdir(part, { recursive: true });
      for (let file = 0; file < 20; file += 1) await writeFile(join(part, `${file}`), '');
      const flipping = (async () => {
        await rename(part, aside);
        await symlink(outside, part);
        await rm(part);
        await rename(aside, part);
      })().catch(() => undefined);
      await removeTree(tree).catch(() => undefined);
      await flipping;
      await removeTree(tree);
      expect(await readdir(outside)).toEqual(['file']);
    }
  });
});

describe('deleting a tree', () => {
  it('ends when it is aborted, and can be continued', async () => {
    await makeTree(tree, 'many', 8_000);
    const enough = new AbortController();
    const removing = removeTree(tree, enough.signal);
    while ((await readdir(tree)).length === 8) await stat(tree);
    enough.abort();
    await expect(removing).rejects.toThrow(/abort/i);
    expect((await readdir(tree)).length).toBeGreaterThan(0);
    await removeTree(tree);
    expect(await readdir(home)).toEqual(['kept']);
  });

  it.runIf(process.getuid?.() === 0)('says what cannot be deleted', async () => {
    await mkdir(join(tree, 'a', 'b'), { recursive: true });
    await writeFile(join(tree, 'a', 'b', 'held'), '');
    await run('chattr', ['+i', join(tree, 'a', 'b', 'held')]);
    try {
      await expect(removeTree(tree)).rejects.toMatchObject({ code: 'EPERM' });
    } finally {
      await run('chattr', ['-i', join(tree, 'a', 'b', 'held')]);
    }
    await removeTree(tree);
    expect(await readdir(home)).toEqual(['kept']);
  });

  it('does not block the process meanwhile', async () => {
    await makeTree(tree, 'flat', 8_000);
    let longestMs = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      longestMs = Math.max(longestMs, now - last);
      last = now;
    }, 5);
    await removeTree(tree);
    clearInterval(timer);
    expect(longestMs).toBeLessThan(200);
  });
});

describe('the size of a tree', () => {
  it.each<[TreeKind, number, number]>([
    ['deep', 3_000, 30 * 10 + 10],
    ['bytes', 0, 8 * 7],
    ['hollow', 0, 400e9],
  ])('is counted when it is %s (%i)', async (kind, count, bytes) => {
    await makeTree(tree, kind, count);
    expect(await bytesBelow(tree, new AbortController().signal)).toBe(bytes);
  });

  it('is 0 for a missing path, and unknown after an abort', async () => {
    expect(await sizeOfTree(tree)).toBe(0);
    await makeTree(tree, 'many', 8_000);
    expect(await sizeOfTree(tree, AbortSignal.timeout(1))).toBeUndefined();
  });
});
