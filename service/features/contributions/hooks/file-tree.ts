import type { Dirent, Stats } from 'node:fs';
import { lstat, opendir, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';

/** Above the size of any plugin that a person can review. */
const maxEntries = 100_000;
const maxLinkSteps = 40;

/** A file, folder or other entry of a plugin. */
export interface TreeEntry {
  /** Relative to the plugin, with `/`. */
  path: string;
  kind: 'file' | 'folder' | 'link' | 'unreadable' | 'other';
  /** Target of a link, as it is stored. */
  target?: string;
}

/**
 * All entries of a plugin, including links and special files; links are not followed on disk. Paths
 * match in any case and Unicode form, as on some file systems.
 */
export class FileTree {
  readonly entries: readonly TreeEntry[];
  readonly #byKey = new Map<string, TreeEntry[]>();

  /** Number of path segments of the deepest link. */
  readonly #linkDepth: number;

  private constructor(entries: readonly TreeEntry[]) {
    this.entries = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
    this.#linkDepth = entries
      .filter(({ kind }) => kind === 'link')
      .reduce((deepest, { path }) => Math.max(deepest, path.split('/').length), 0);
    for (const entry of this.entries) {
      const key = keyOf(entry.path);
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), entry]);
    }
  }

  /** A missing folder is empty. @throws HostError 422 `too_many_files` above 100,000 entries */
  static async read(root: string): Promise<FileTree> {
    const entries: TreeEntry[] = [];
    const folders = [''];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const entry of await entriesOf(root, folder)) {
        entries.push(entry);
        if (entry.kind === 'folder') folders.push(entry.path);
      }
      if (entries.length > maxEntries) throw tooManyFiles();
    }
    return new FileTree(entries);
  }

  /**
   * Resolves a path inside the plugin: the links on the way, then the entry itself. Empty if it is
   * missing, outside, or the plugin itself.
   */
  find(path: string): TreeEntry[] {
    const found: TreeEntry[] = [];
    let current = inside(path);
    for (let steps = 0; current !== null && steps < maxLinkSteps; steps += 1) {
      const link = this.#linkOn(current);
      if (link === null) break;
      found.push(link.entry);
      const target = link.entry.target ?? '';
      const next: string = posix.join(posix.dirname(link.entry.path), target, link.rest);
      current = posix.isAbsolute(target) ? null : inside(next);
    }
    if (current === null) return found;
    return [...found, ...(this.#byKey.get(keyOf(current)) ?? [])];
  }

  /** All entries below a folder; `''` is the plugin. */
  below(folder: string): TreeEntry[] {
    const start = folder === '' ? '' : `${folder}/`;
    const first = this.#firstFrom(start);
    let end = first;
    while (this.entries[end]?.path.startsWith(start)) end += 1;
    return this.entries.slice(first, end);
  }

  /** Index of the first entry whose path is not before `start`. */
  #firstFrom(start: string): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.entries[middle] as TreeEntry).path < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #linkOn(path: string): { entry: TreeEntry; rest: string } | null {
    const parts = path.split('/');
    const deepest = Math.min(parts.length, this.#linkDepth);
    for (let length = 1; length <= deepest; length += 1) {
      const entries = this.#byKey.get(keyOf(parts.slice(0, length).join('/'))) ?? [];
      const entry = entries.find(({ kind }) => kind === 'link');
      if (entry !== undefined) return { entry, rest: parts.slice(length).join('/') };
    }
    return null;
  }
}

/** Normalized path, `''` for the plugin itself; null if it leads out. */
export function inside(path: string): string | null {
  const plain = posix.normalize(path).replace(/^\/+|\/+$/g, '');
  if (plain === '.') return '';
  return plain === '..' || plain.startsWith('../') ? null : plain;
}

async function entriesOf(root: string, folder: string): Promise<TreeEntry[]> {
  const directory = await opendir(join(root, folder)).catch(() => null);
  if (directory === null) return folder === '' ? [] : [{ path: `${folder}/?`, kind: 'unreadable' }];
  const entries: TreeEntry[] = [];
  for await (const found of directory) {
    const path = posix.join(folder, found.name);
    const info = reportsType(found) ? found : await lstat(join(root, path)).catch(() => null);
    if (info?.isSymbolicLink() === true) {
      const target = await readlink(join(root, path)).catch(() => null);
      entries.push(target === null ? { path, kind: 'unreadable' } : { path, kind: 'link', target });
    } else entries.push({ path, kind: info === null ? 'unreadable' : kindOf(info) });
    if (entries.length > maxEntries) throw tooManyFiles();
  }
  return entries;
}

/** Some file systems do not report the type of entries in a listing. */
function reportsType(entry: Dirent): boolean {
  return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
}

function kindOf(info: Dirent | Stats): TreeEntry['kind'] {
  if (info.isFile()) return 'file';
  return info.isDirectory() ? 'folder' : 'other';
}

function tooManyFiles(): HostError {
  return new HostError(
    'unprocessable',
    'too_many_files',
    msg('contributions.tooManyFiles', { limit: maxEntries }),
  );
}

function keyOf(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
