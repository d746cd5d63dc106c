/* eslint-disable no-restricted-syntax -- calls that take microseconds each stand before every command: as promises they take ten times as long, and leave a command time to change what was looked at. Who makes many lets others have their turn. */
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
/** Only to name it, so that it need not be readable; the same number on x64 and arm64. */
const openPath = 0x20_0000;

const ownersRights = 0o700;

/** Null for what is not there, and for what a link is on the way to. */
export function statAt(root: BytePath, path: BytePath): BigIntStats | null {
  return anchored(root, path, (own) => lstatSync(bufferOf(own), { bigint: true }));
}

/** Whether it got another name in its folder. */
export function renameAt(root: BytePath, path: BytePath, name: string): boolean {
  const rename = (own: BytePath): true => {
    renameSync(bufferOf(own), bufferOf(within(folderOf(own), name)));
    return true;
  };
  const isDone = (): boolean => anchored(root, path, rename) ?? false;
  return isDone() || (openUpAt(root, folderOf(path)) && isDone());
}

/** Gives the owner of a folder all rights on it, which a command may have taken away. */
export function openUpAt(root: BytePath, folder: BytePath): boolean {
  const openUp = (descriptor: number): true => {
    const { mode } = fstatSync(descriptor);
    chmodSync(`/proc/self/fd/${descriptor}`, (mode & 0o7777) | ownersRights);
    return true;
  };
  return heldAt(root, folder, openUp) ?? false;
}

/** Does something with the file or folder itself, whatever takes its name meanwhile. */
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

/** A file or folder that was kept open, by which one is told whether it is still somewhere. */
export interface OpenEntry {
  /** Whether it lost a name since; a folder, whether it was removed. */
  isRemoved(): boolean;
  release(): void;
}

/** Null for what is not there. */
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

/** For a folder one, and none once it is removed. */
function namesOfOpen(descriptor: number): number {
  const stat = fstatSync(descriptor);
  return stat.isDirectory() ? Math.min(stat.nlink, 1) : stat.nlink;
}

/** Where there is nothing yet. */
export function makeLinkAt(root: BytePath, path: BytePath, target: string): void {
  anchored(root, path, (own) => symlinkSync(Buffer.from(target, 'latin1'), bufferOf(own)));
}

/** Where there is nothing yet. */
export function makeFolderAt(root: BytePath, path: BytePath): void {
  anchored(root, path, (own) => mkdirSync(bufferOf(own)));
}

/**
 * Does something with `path`, which lies below `root`, by a name that means the same however its
 * folders are moved meanwhile: no folder on the way may be a link, whoever puts one there while a
 * command runs. Null where that cannot be had, or where `work` fails.
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
