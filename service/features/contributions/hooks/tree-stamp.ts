import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { inParallel } from '../../../core/in-parallel.ts';
import { FileTree } from './file-tree.ts';

const looksAtOnce = 16;
const dependency = /(?:^|\/)node_modules\//;

export interface TreeStamp {
  digest: string;
  /** When something of it last changed, in milliseconds since 1970. */
  changedMs: number;
}

/**
 * What has to be looked at to notice that other files would count than those `counted` ones, or that
 * other hooks would be read: all folders, which change when something comes or goes, and all files but
 * those of packages that came with the plugin. Paths are relative to it.
 */
export async function watchedPaths(root: string, counted: Iterable<string>): Promise<string[]> {
  const { entries } = await FileTree.read(root);
  const watched = entries.filter(
    ({ path, kind }) => kind === 'folder' || path.endsWith('.json') || !dependency.test(path),
  );
  return [...new Set(['', ...watched.map(({ path }) => path), ...counted])];
}

/** Another one after each change of the content, name or kind of one of these paths. */
export async function stampOf(root: string, paths: readonly string[]): Promise<TreeStamp> {
  const hash = createHash('sha256');
  let changedNs = 0n;
  const rows = await inParallel(paths, looksAtOnce, (path) =>
    lstat(join(root, path), { bigint: true }).catch(() => null),
  );
  rows.forEach((row, index) => {
    const state = row && [row.dev, row.ino, row.mode, row.size, row.mtimeNs, row.ctimeNs].join(' ');
    hash.update(`${JSON.stringify(paths[index])} ${state ?? 'missing'}\n`);
    // The other time can be set to anything.
    if (row && row.ctimeNs > changedNs) changedNs = row.ctimeNs;
  });
  return { digest: hash.digest('hex'), changedMs: Number(changedNs / 1_000_000n) };
}
