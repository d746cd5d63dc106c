import { codeOf } from './archive-problems.ts';
import { isUtf8 } from 'node:buffer';
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

export interface PieceListener {
  /** What cannot be given: a folder that cannot be read or lies too deep, a name that is no text. */
  onUnreadable: (name: string) => void;
  /** Links, sockets and pipes. */
  onOther?: (name: string) => void;
  /** Ends the walk, also where it gives nothing. */
  signal?: AbortSignal;
}

/**
 * Every file below `folder` and every folder that holds nothing; links, sockets and pipes are passed
 * over. What vanishes meanwhile is, too.
 */
export async function* piecesOf(folder: string, listener: PieceListener): AsyncGenerator<Piece> {
  const root = await realpath(folder).catch(() => null);
  if (root !== null) yield* plainPiecesOf(root, listener);
}

/** The same of a folder whose path holds no link; where somebody has put one in the way there is nothing. */
export async function* plainPiecesOf(
  folder: string,
  listener: PieceListener,
): AsyncGenerator<Piece> {
  const pending = [{ path: folder, name: '' }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const folders: string[] = [];
    yield* piecesIn(next, folders, listener);
    const { path, name } = next;
    for (const each of folders.reverse())
      pending.push({ path: join(path, each), name: below(name, each) });
  }
}

/** Without those of its folders, whose names are added to `folders`. */
async function* piecesIn(
  { path, name }: Pick<Piece, 'path' | 'name'>,
  folders: string[],
  { onUnreadable, onOther, signal }: PieceListener,
): AsyncGenerator<Piece> {
  let isEmpty = true;
  try {
    for await (const entry of entriesOf(path)) {
      signal?.throwIfAborted();
      isEmpty = false;
      const own = entry.name.toString();
      const inside = below(name, own);
      const kind = kindOf(entry);
      if (kind === 'other') onOther?.(inside);
      else if (kind === 'unnamed') onUnreadable(inside);
      else if (kind === 'folder') folders.push(own);
      else yield { kind, path: join(path, own), name: inside };
    }
  } catch (error) {
    if (isMissing(error)) return;
    if (!isUnreadable(error)) throw error;
    onUnreadable(name);
    return;
  }
  if (isEmpty && name !== '') yield { kind: 'empty-folder', path, name };
}

function kindOf(entry: Dirent<Buffer>): 'file' | 'folder' | 'unnamed' | 'other' {
  if (!entry.isFile() && !entry.isDirectory()) return 'other';
  if (!isUtf8(entry.name)) return 'unnamed';
  return entry.isFile() ? 'file' : 'folder';
}

const listing = { encoding: 'buffer', bufferSize: 256 } as unknown as { bufferSize: number };

/** A folder that became a link since it was listed would lead elsewhere. */
async function* entriesOf(path: string): AsyncGenerator<Dirent<Buffer>> {
  const list = async (from: string) =>
    (await opendir(from, listing)) as unknown as AsyncIterable<Dirent<Buffer>>;
  if (process.platform === 'win32') {
    if ((await realpath(path)) === path) yield* await list(path);
    return;
  }
  const folder = await openPlainFolder(path);
  try {
    const own = process.platform === 'linux' ? `/proc/self/fd/${folder?.fd}` : path;
    if (folder !== null) yield* await list(own);
  } finally {
    await folder?.close();
  }
}

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

const isUnreadable = (error: unknown): boolean =>
  ['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(codeOf(error) ?? '');

const below = (name: string, part: string): string => (name === '' ? part : `${name}/${part}`);
