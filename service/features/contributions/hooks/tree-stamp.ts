import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { inParallel } from '../../../core/in-parallel.ts';
import { FileTree } from './file-tree.ts';

const statsAtOnce = 16;
const dependency = /(?:^|\/)node_modules\//;

/** A cheap fingerprint of file metadata. */
export interface TreeStamp {
  digest: string;
  /** Time of the latest change, in milliseconds since 1970. */
  changedMs: number;
}

/**
 * The paths to watch in order to notice that other files would count than the `counted` ones, or
 * that other hooks would be read: all folders, which change when entries are added or removed, and
 * all files except those of bundled packages. Paths are relative to `root`.
 */
export async function watchedPaths(root: string, counted: Iterable<string>): Promise<string[]> {
  const { entries } = await FileTree.read(root);
  const watched = entries.filter(
    ({ path, kind }) => kind === 'folder' || path.endsWith('.json') || !dependency.test(path),
  );
  return [...new Set(['', ...watched.map(({ path }) => path), ...counted])];
}

/** The stamp changes with the content, name or kind of any of these paths. */
export async function stampOf(root: string, paths: readonly string[]): Promise<TreeStamp> {
  const hash = createHash('sha256');
  let changedNs = 0n;
  const rows = await inParallel(paths, statsAtOnce, (path) =>
    lstat(join(root, path), { bigint: true }).catch(() => null),
  );
  rows.forEach((row, index) => {
    const state = row && [row.dev, row.ino, row.mode, row.size, row.mtimeNs, row.ctimeNs].join(' ');
    hash.update(`${JSON.stringify(paths[index])} ${state ?? 'missing'}\n`);
    // The modification time can be set to any value; this one cannot.
    if (row && row.ctimeNs > changedNs) changedNs = row.ctimeNs;
  });
  return { digest: hash.digest('hex'), changedMs: Number(changedNs / 1_000_000n) };
}
