import type { Dirent } from 'node:fs';
import { opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { openPlainFolder } from './plain-open.ts';

/** Something of a folder that is packed. `name` is relative to the folder, with `/`. */
export interface Piece {
  kind: 'file' | 'empty-folder';
  path: string;
  name: string;
}

/**
 * Every file below `folder` and every folder that holds nothing; links, sockets and pipes are passed
 * over. What vanishes meanwhile is, too; `onUnreadable` hears of folders that cannot be read.
 */
export async function* piecesOf(
  folder: string,
  onUnreadable: (name: string) => void,
): AsyncGenerator<Piece> {
  const root = await realpath(folder).catch(() => null);
  if (root !== null) yield* plainPiecesOf(root, onUnreadable);
}

/**
 * The same of a folder whose path holds no link; where somebody has put one in the way there is nothing.
 * `onOther` hears of what is passed over.
 */
export function plainPiecesOf(
  folder: string,
  onUnreadable: (name: string) => void,
  onOther: (name: string) => void = () => undefined,
): AsyncGenerator<Piece> {
  return piecesBelow(folder, '', { onUnreadable, onOther });
}

interface Listener {
  onUnreadable: (name: string) => void;
  onOther: (name: string) => void;
}

async function* piecesBelow(path: string, name: string, listener: Listener): AsyncGenerator<Piece> {
  const folders: string[] = [];
  let isEmpty = true;
  try {
    for await (const entry of entriesOf(path)) {
      isEmpty = false;
      if (entry.isDirectory()) folders.push(entry.name);
      else if (entry.isFile())
        yield { kind: 'file', path: join(path, entry.name), name: below(name, entry.name) };
      else listener.onOther(below(name, entry.name));
    }
  } catch (error) {
    // A name that is no text leads nowhere.
    if (isGone(error) && !name.includes('\uFFFD')) return;
    if (!isGone(error) && !isForbidden(error)) throw error;
    listener.onUnreadable(name);
    return;
  }
  if (isEmpty && name !== '') yield { kind: 'empty-folder', path, name };
  for (const each of folders) yield* piecesBelow(join(path, each), below(name, each), listener);
}

/** A folder that became a link since it was listed would lead elsewhere. */
async function* entriesOf(path: string): AsyncGenerator<Dirent> {
  if (process.platform === 'win32') {
    if ((await realpath(path)) === path) yield* await opendir(path);
    return;
  }
  const folder = await openPlainFolder(path);
  try {
    const own = process.platform === 'linux' ? `/proc/self/fd/${folder?.fd}` : path;
    if (folder !== null) yield* await opendir(own);
  } finally {
    await folder?.close();
  }
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const isForbidden = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');

const below = (name: string, part: string): string => (name === '' ? part : `${name}/${part}`);
