import { randomUUID } from 'node:crypto';
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../platform/archives/archive-problems.ts';
import type { ArchiveWriter } from '../../platform/archives/archive-writer.ts';
import { copySqlite, isLiveSqlite } from '../../platform/database/copy-sqlite.ts';
import type { Log } from '../../platform/log.ts';
import { isSparse } from '../../platform/archives/sparse-files.ts';
import type { Piece } from '../../platform/archives/folder-pieces.ts';
import { openPlainFile } from '../../platform/archives/plain-open.ts';

const sideSuffixes = ['-wal', '-shm', '-journal'];

/**
 * True for the database that the host creates for a plugin; `name` is relative to the data of all
 * plugins.
 */
export const isPluginDatabase = (name: string): boolean =>
  /^[^/]+\/database\/plugin\.db$/.test(name);

/** True for the files that SQLite keeps next to such a database. */
export const isPluginDatabaseSidecar = (name: string): boolean =>
  sideSuffixes.some((end) => name.endsWith(end) && isPluginDatabase(name.slice(0, -end.length)));

interface Packing {
  piece: Piece;
  /** Path in the archive. */
  name: string;
  /** Directory for the temporary copy. */
  folder: string;
  log: Log;
}

/** Adds a consistent copy of a database in use; one that cannot be copied is added as it is. */
export async function packPluginDatabase(
  writer: ArchiveWriter,
  { piece, name, folder, log }: Packing,
): Promise<boolean> {
  // A copy of a sparse file would take its full size on disk.
  const info = await lstat(piece.path).catch(() => null);
  const isPlain = info === null || isSparse(info) || !(await isLiveSqlite(piece.path));
  if (isPlain) return writer.addFile(piece.path, name, openPlainFile);
  const copy = join(folder, randomUUID());
  try {
    await copySqlite(piece.path, copy);
    return await writer.addFile(copy, name);
  } catch (error) {
    if (!codeOf(error)?.startsWith('SQLITE_') || codeOf(error) === 'SQLITE_FULL') throw error;
    log.warn('backup', `${piece.name} is taken as it is: ${String(error)}`);
  } finally {
    await rm(copy, { force: true });
  }
  for (const end of sideSuffixes) await writer.addFile(piece.path + end, name + end, openPlainFile);
  return writer.addFile(piece.path, name, openPlainFile);
}
