/* eslint-disable no-restricted-syntax -- these calls take microseconds and run before every command: as promises they take ten times as long, and give a command time to change what was examined. Callers with many calls yield to other work. */
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { bufferOf, type BytePath, folderOf, nameOf, within } from './byte-path.ts';

const { O_DIRECTORY, O_NOFOLLOW } = constants;
/**
 * `O_PATH`: opens only to refer to the entry, so it need not be readable. The same number on x64
 * and arm64.
 */
const openPath = 0x20_0000;

const ownersRights = 0o700;

/** Returns null if the entry does not exist or a link is on the path to it. */
export function statAt(root: BytePath, path: BytePath): BigIntStats | null {
  return anchored(root, path, (own) => lstatSync(bufferOf(own), { bigint: true }));
}

/** Renames the entry within its folder. Returns true on success. */
export function renameAt(root: BytePath, path: BytePath, name: string): boolean {
  const rename = (own: BytePath): true => {
    renameSync(bufferOf(own), bufferOf(within(folderOf(own), name)));
    return true;
  };
  const isDone = (): boolean => anchored(root, path, rename) ?? false;
  return isDone() || (openUpAt(root, folderOf(path)) && isDone());
}

/** Gives the owner of a folder all permissions on it, which a command may have removed. */
export function openUpAt(root: BytePath, folder: BytePath): boolean {
  const openUp = (descriptor: number): true => {
    const { mode } = fstatSync(descriptor);
    chmodSync(`/proc/self/fd/${descriptor}`, (mode & 0o7777) | ownersRights);
    return true;
  };
  return heldAt(root, folder, openUp) ?? false;
}

/** Works on the file or folder itself, even if something else takes its name meanwhile. */
function heldAt<T>(root: BytePath, path: BytePath, work: (descriptor: number) => T): T | null {
  const open = (own: BytePath): T => {
    const descriptor = openSync(bufferOf(own), openPath | O_NOFOLLOW);
    try {
      return work(descriptor);
    } finally {
      closeSync(descriptor);
    }
  };
  return anchored(root, path === root ? within(root, '.') : path, open);
}

/** A file or folder that is held open, to detect whether it still exists somewhere. */
export interface OpenEntry {
  /** Returns true if it lost a name since, or for a folder, if it was removed. */
  isRemoved(): boolean;
  release(): void;
}

/** Returns null if the entry does not exist. */
export function openEntry(root: BytePath, path: BytePath): OpenEntry | null {
  return anchored(root, path, (own) => {
    const descriptor = openSync(bufferOf(own), openPath | O_NOFOLLOW);
    const names = namesOfOpen(descriptor);
    return {
      isRemoved: () => namesOfOpen(descriptor) < names,
      release: () => closeSync(descriptor),
    };
  });
}

/** Link count; for a folder 1, and 0 once it is removed. */
function namesOfOpen(descriptor: number): number {
  const stat = fstatSync(descriptor);
  return stat.isDirectory() ? Math.min(stat.nlink, 1) : stat.nlink;
}

/** Creates a link if the path does not exist yet. */
export function makeLinkAt(root: BytePath, path: BytePath, target: string): void {
  anchored(root, path, (own) => symlinkSync(Buffer.from(target, 'latin1'), bufferOf(own)));
}

/** Creates a folder if the path does not exist yet. */
export function makeFolderAt(root: BytePath, path: BytePath): void {
  anchored(root, path, (own) => mkdirSync(bufferOf(own)));
}

/**
 * Performs `work` on `path` below `root` through a name that stays valid however its folders are
 * moved meanwhile: no folder on the path may be a link, even one that a command creates at that
 * moment. Returns null if the path is not available or `work` fails.
 */
function anchored<T>(root: BytePath, path: BytePath, work: (path: BytePath) => T): T | null {
  const names = path
    .slice(root.length + 1)
    .split('/')
    .slice(0, -1);
  let folder = -1;
  try {
    folder = openFolder(root);
    for (const name of names) {
      const inner = openFolder(inFolder(folder, name));
      closeSync(folder);
      folder = inner;
    }
    return work(inFolder(folder, nameOf(path)));
  } catch {
    return null;
  } finally {
    if (folder !== -1) closeSync(folder);
  }
}

const openFolder = (path: BytePath): number =>
  openSync(bufferOf(path), openPath | O_DIRECTORY | O_NOFOLLOW);

const inFolder = (folder: number, name: string): BytePath =>
  `/proc/self/fd/${folder}/${name}` as BytePath;
