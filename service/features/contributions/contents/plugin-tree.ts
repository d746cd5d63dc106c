import { constants, type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, visible } from '../../../platform/archives/archive-problems.ts';
import type { ContentWarnings } from './content-warnings.ts';
import { type Message, msg } from '../../../messages/index.ts';

const maxFileBytes = 1024 * 1024;

const maxFolderEntries = 10_000;
const maxTreeEntries = 100_000;
const maxLevels = 16;

/** A file or folder of a plugin. */
export interface TreeEntry {
  name: string;
  /** Relative to the plugin. */
  path: string;
  kind: 'file' | 'directory';
}

/**
 * The text of a file, or the reason why there is none; `reason` is a clause that continues its
 * path.
 */
export type FileText =
  { state: 'read'; text: string } | { state: 'absent' } | { state: 'unusable'; reason: Message };

/**
 * The files of one plugin. Nothing outside its directory is ever read: no link is followed, neither
 * the last part of a path nor one before it. Paths are relative with `/`; '' is the plugin itself.
 * Results are cached, so a tree is for one reading.
 */
export class PluginTree {
  readonly #root: string | null;
  readonly #warnings: ContentWarnings;
  readonly #kinds = new Map<string, Promise<TreeEntry['kind'] | null>>();
  readonly #lists = new Map<string, Promise<TreeEntry[]>>();
  #entries = 0;

  private constructor(root: string | null, warnings: ContentWarnings) {
    this.#root = root;
    this.#warnings = warnings;
  }

  /** A missing directory counts as an empty plugin, with a warning. */
  static async open(directory: string, warnings: ContentWarnings): Promise<PluginTree> {
    const root = await realpath(directory).catch(() => null);
    const tree = new PluginTree(root, warnings);
    if ((await tree.kindOf('')) !== 'directory') warnings.add('', msg('contributions.missing'));
    return tree;
  }

  /** The kind of an entry; null for links, special files and missing entries. */
  async kindOf(path: string): Promise<TreeEntry['kind'] | null> {
    return remembered(this.#kinds, path, async () => {
      if (this.#root === null) return null;
      if (path !== '' && (await this.kindOf(parentOf(path))) !== 'directory') return null;
      const info = await lstat(join(this.#root, path)).catch(() => null);
      if (info === null) return null;
      if (info.isDirectory()) return 'directory';
      return info.isFile() ? 'file' : null;
    });
  }

  /** The files and directories of a folder, sorted by name; empty if it is not a folder. */
  async list(folder: string): Promise<TreeEntry[]> {
    return remembered(this.#lists, folder, () => this.#list(folder));
  }

  /** The files in a folder and below that `keep` accepts, sorted; stops after `limit`. */
  async filesBelow(
    folder: string,
    limit: number,
    keep: (name: string) => boolean = () => true,
  ): Promise<string[]> {
    const found: string[] = [];
    const walk = async (path: string, level: number): Promise<void> => {
      for (const entry of await this.list(path)) {
        if (found.length >= limit) return;
        if (entry.kind === 'file') {
          if (keep(entry.name)) found.push(entry.path);
        } else if (level < maxLevels) await walk(entry.path, level + 1);
        else this.#warnings.add(entry.path, msg('contributions.tooDeep', { limit: maxLevels }));
      }
    };
    await walk(folder, 1);
    return found.sort();
  }

  /**
   * The first `headBytes` of a file as text without a byte order mark. Files above 1 MiB are
   * unusable.
   */
  async readText(path: string, headBytes = maxFileBytes): Promise<FileText> {
    const kind = await this.kindOf(path);
    if (this.#root === null || kind === null) {
      return (await this.#isThere(path))
        ? { state: 'unusable', reason: msg('contributions.linkOrSpecial') }
        : { state: 'absent' };
    }
    if (kind === 'directory') return { state: 'unusable', reason: msg('contributions.isFolder') };
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const file = await open(join(this.#root, path), flags).catch(() => null);
    if (file === null) return { state: 'unusable', reason: msg('contributions.unreadable') };
    try {
      return await readHead(file, headBytes);
    } catch {
      return { state: 'unusable', reason: msg('contributions.unreadable') };
    } finally {
      await file.close();
    }
  }

  async #isThere(path: string): Promise<boolean> {
    if (this.#root === null) return false;
    if (path !== '' && (await this.kindOf(parentOf(path))) !== 'directory') return false;
    return lstat(join(this.#root, path)).then(
      () => true,
      (error: unknown) => codeOf(error) !== 'ENOENT',
    );
  }

  async #list(folder: string): Promise<TreeEntry[]> {
    if (this.#root === null || (await this.kindOf(folder)) !== 'directory') return [];
    const found = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(
      () => null,
    );
    if (found === null) {
      this.#warnings.add(folder, msg('contributions.unreadable'));
      return [];
    }
    const capacity = Math.min(maxFolderEntries, maxTreeEntries - this.#entries);
    this.#entries += Math.min(found.length, capacity);
    if (found.length > capacity) this.#warnings.add(folder, msg('contributions.tooManyInFolder'));
    const entries = found.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, capacity);
    return entries.flatMap((entry) => this.#entryOf(entry, folder));
  }

  #entryOf(entry: Dirent, folder: string): TreeEntry[] {
    const { name } = entry;
    if (name === '.git') return [];
    const path = folder === '' ? name : `${folder}/${name}`;
    if (!isPlain(name)) {
      this.#warnings.add(path, msg('contributions.nameCharacter'));
      return [];
    }
    if (!entry.isFile() && !entry.isDirectory()) {
      this.#warnings.add(path, msg('contributions.linkOrSpecial'));
      return [];
    }
    const kind = entry.isFile() ? 'file' : 'directory';
    this.#kinds.set(path, Promise.resolve(kind));
    return [{ name, path, kind }];
  }
}

/** True if a name is displayed as it is. Bytes that are not UTF-8 were replaced by U+FFFD. */
function isPlain(name: string): boolean {
  return visible(name) === name && !/[\\\ufffd]/.test(name);
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

export function lastPartOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

async function readHead(file: FileHandle, headBytes: number): Promise<FileText> {
  const info = await file.stat();
  if (!info.isFile()) return { state: 'unusable', reason: msg('contributions.linkOrSpecial') };
  if (info.size > maxFileBytes)
    return { state: 'unusable', reason: msg('contributions.fileTooLarge') };
  const buffer = Buffer.allocUnsafe(Math.min(info.size, headBytes));
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return { state: 'read', text: new TextDecoder().decode(buffer.subarray(0, length)) };
}

function remembered<T>(
  cache: Map<string, Promise<T>>,
  path: string,
  find: () => Promise<T>,
): Promise<T> {
  const found = cache.get(path) ?? find();
  cache.set(path, found);
  return found;
}
