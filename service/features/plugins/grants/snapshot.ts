import { mkdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HostError } from '../../../core/host-error.ts';
import { inParallel } from '../../../core/in-parallel.ts';
import type { UploadedFile } from '../../../http/uploads.ts';
import {
  NameRegistry,
  nameProblem,
  sameNameKey,
} from '../../../platform/archives/archive-names.ts';
import { type Message, msg } from '../../../messages/index.ts';

const movesAtOnce = 4;

/** A copy of a file for a plugin; `path` is absolute, `size` in bytes. */
export interface Snapshot {
  name: string;
  path: string;
  size: number;
}

/** Stores the uploaded file under its own name, made valid for the file system. */
export async function storeUploadedFile(folder: string, file: UploadedFile): Promise<Snapshot> {
  const name = basename(file.name.replaceAll('\\', '/')) || 'file';
  const path = join(folder, nameProblem(name) === undefined ? name : 'file');
  await rename(file.path, path);
  return { name, path, size: file.sizeBytes };
}

/**
 * Rebuilds an uploaded directory: `paths` are the relative paths of the files, whose common folder
 * is the directory. `folder` must be new and not writable for workers, which could place links in
 * it.
 * @throws HostError 400 `invalid_paths`; then `folder` may contain a part
 */
export async function storeUploadedDirectory(
  folder: string,
  files: readonly UploadedFile[],
  paths: readonly string[],
): Promise<Pick<Snapshot, 'name' | 'size'>> {
  checkPaths(files.length, paths);
  const [first = ''] = paths;
  const top = first.slice(0, first.indexOf('/') + 1);
  const shared = top !== '' && paths.every((path) => path.startsWith(top));
  const name = shared ? top.slice(0, -1) : 'files';
  const root = join(folder, name);
  const targets = files.map((_, index) =>
    join(root, (paths[index] ?? '').slice(shared ? top.length : 0)),
  );
  for (const parent of new Set(targets.map((target) => dirname(target))))
    await mkdir(parent, { recursive: true, mode: 0o700 });
  await inParallel(files.entries(), movesAtOnce, ([index, file]) =>
    rename(file.path, targets[index] ?? ''),
  );
  const size = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  return { name, size };
}

function checkPaths(count: number, paths: readonly string[]): void {
  if (paths.length !== count)
    throw invalid(msg('plugins.pathCount', { files: count, paths: paths.length }));
  const names = new NameRegistry(sameNameKey);
  for (const path of paths) {
    const problem = path.endsWith('/')
      ? msg('plugins.notFilePath')
      : (nameProblem(path) ?? names.add(path));
    if (problem !== undefined)
      throw invalid(msg('plugins.badPath', { path: path.slice(0, 100), reason: problem }));
  }
}

const invalid = (message: Message): HostError => new HostError('invalid', 'invalid_paths', message);
