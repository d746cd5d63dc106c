/* eslint-disable no-restricted-syntax -- calls that take microseconds each stand before every command: as promises they take ten times as long, and leave a command time to change what was looked at. Who makes many lets others have their turn. */
import {
  type BigIntStats,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { bufferOf, type BytePath, folderOf, nameOf, within } from './byte-path.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

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
  return anchored(root, path, rename) ?? false;
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
  openSync(bufferOf(path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);

const inFolder = (folder: number, name: string): BytePath =>
  `/proc/self/fd/${folder}/${name}` as BytePath;
