import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import { writeWhole } from '../whole-file.ts';
import { type DatabaseFile, databaseFileOf } from './database-file.ts';
import { sideFileSuffixes, type Snapshot, type Snapshots } from './snapshots.ts';

/**
 * Replaces the database with a snapshot; no process may have it open. The current database is
 * stored as another snapshot first. After an interruption at any moment, the database is the old
 * one or the new one. @throws HostError `unknown_snapshot` with the available names
 */
export async function restoreSnapshot(
  snapshots: Snapshots,
  configured: DatabaseFile,
  name: string,
): Promise<void> {
  const file = await withoutLinks(configured);
  const all = await snapshots.list(file.type);
  const chosen = all.find((each) => each.name === name) ?? unknown(name, all);
  await foldSideFiles(file);
  await keepPresent(snapshots, file);
  await mkdir(dirname(file.path), { recursive: true, mode: 0o700 });
  await writeWhole(file.path, async (draft) => {
    await copy(chosen.file, draft);
    // Side files would damage another database. Their content is in the database file or stored
    // next to its snapshot.
    for (const side of file.sideFiles) await rm(side, { force: true });
  });
  await snapshots.mark({ snapshot: chosen.name, databaseFile: configured.path });
}

/** Replaces the target of a link to the database, not the link. */
async function withoutLinks(file: DatabaseFile): Promise<DatabaseFile> {
  const filePath = await realpath(file.path).catch(() => file.path);
  return databaseFileOf({ type: file.type, filePath }) ?? file;
}

function unknown(name: string, all: Snapshot[]): never {
  const names = all.map((each) => each.name);
  const text =
    names.length === 0
      ? msg('database.noSnapshots', { name })
      : msg('database.unknownSnapshot', { name, names });
  throw new HostError('missing', 'unknown_snapshot', text);
}

/** After a crash, committed rows are still in the side files; opening the database merges them. */
async function foldSideFiles({ type, path }: DatabaseFile): Promise<void> {
  if (type !== 'SQLITE' || !(await isSqlite(path))) return;
  const { SqliteConnection } = await import('./sqlite-file.ts');
  const pragmas = 'PRAGMA busy_timeout=5000; PRAGMA wal_checkpoint(TRUNCATE);';
  try {
    const connection = await SqliteConnection.open(path, { create: false, pragmas });
    await connection.end();
  } catch {
    // Damaged: it is stored unchanged, with its side files.
  }
}

/** Opening any other file would delete its side files. */
async function isSqlite(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return false;
  try {
    const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.toString('latin1') === 'SQLite format 3\0';
  } finally {
    await file.close();
  }
}

async function keepPresent(snapshots: Snapshots, file: DatabaseFile): Promise<void> {
  if (!(await exists(file.path))) return;
  const name = await snapshots.keepBeforeRestore(file, (draft) => copy(file.path, draft));
  const storedFile = (await snapshots.list(file.type)).find((each) => each.name === name)?.file;
  if (storedFile === undefined || file.type !== 'SQLITE') return;
  for (const suffix of sideFileSuffixes) {
    const side = file.path + suffix;
    if ((await stat(side).catch(() => null))?.size)
      await writeWhole(storedFile + suffix, (draft) => copy(side, draft));
  }
}

async function copy(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, 0o600);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
