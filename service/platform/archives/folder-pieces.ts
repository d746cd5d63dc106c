import { codeOf } from './archive-problems.ts';
import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { openPlainFolder } from './plain-open.ts';

/** A file or empty folder to pack. `name` is relative to the packed folder, with `/`. */
export interface Piece {
  kind: 'file' | 'empty-folder';
  path: string;
  name: string;
}

/** Callbacks for the parts of a folder that are not packed. */
export interface PieceListener {
  /**
   * Called for a folder that cannot be read or is nested too deeply, and for a name that is not
   * UTF-8.
   */
  onUnreadable: (name: string) => void;
  /** Called for links, sockets and pipes. */
  onOther?: (name: string) => void;
  /** Ends the walk, even while it yields nothing. */
  signal?: AbortSignal;
}

/**
 * Yields every file below `folder` and every empty folder. Links, sockets, pipes, and entries that
 * vanish meanwhile are skipped.
 */
export async function* piecesOf(folder: string, listener: PieceListener): AsyncGenerator<Piece> {
  const root = await realpath(folder).catch(() => null);
  if (root !== null) yield* plainPiecesOf(root, listener);
}

/**
 * Like `piecesOf`, for a folder whose path contains no link; yields nothing if a link was inserted
 * into it.
 */
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

/** Yields the pieces of one folder, and adds its subfolders to `folders`. */
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

/** A folder that was replaced by a link since it was listed would lead elsewhere. */
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
