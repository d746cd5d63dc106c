import { chmod, mkdir, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../../core/host-error.ts';
import { readBody, unpackBodies } from '../../platform/archives/archive-bodies.ts';
import type { ArchiveEntry } from '../../platform/archives/archive-entry.ts';
import { makeDirectories, withArchive } from '../../platform/archives/archive-file.ts';
import { type ArchiveIndex, readIndex } from '../../platform/archives/archive-index.ts';
import { asDiskProblem, codeOf } from '../../platform/archives/archive-problems.ts';
import { DataSourceFile } from '../../platform/database/data-source-file.ts';
import { configOf } from '../../platform/database/database-params.ts';
import { requireDiskSpace } from '../../platform/disk-space.ts';
import type { HostPaths } from '../../platform/paths.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { discardTree } from '../../platform/trees/remove-tree.ts';
import { walkTree } from '../../platform/trees/walk-tree.ts';
import { syncFile, syncFolder } from '../../platform/whole-file.ts';
import {
  backupRules,
  type BackupManifest,
  decodeName,
  invalidBackup,
  entryPaths,
  readManifest,
} from './backup-format.ts';
import { finishRestore, restoredFolder, restoringFolder } from './finish-restore.ts';
import { msg } from '../../messages/index.ts';

/** Large, since names of skipped files can be long. */
const maxManifestBytes = 64 * 1024 ** 2;

/**
 * Restores a backup into an empty working directory, which nothing else may use meanwhile.
 * @throws HostError for a used directory, an invalid backup or a full disk; the directory is then
 * unchanged
 */
export async function restoreBackup(paths: HostPaths, file: string): Promise<void> {
  await refuseUsed(paths);
  const folder = restoringFolder(paths);
  try {
    await withArchive(file, (archive) => unpack(archive, folder, paths));
  } catch (error) {
    await discardTree(folder);
    throw worded(asDiskProblem(error));
  }
  await syncFolder(paths.host);
  await rename(folder, restoredFolder(paths));
  await syncFolder(paths.host);
  await finishRestore(paths);
}

async function unpack(archive: FileHandle, folder: string, paths: HostPaths): Promise<void> {
  const info = await archive.stat();
  if (!info.isFile()) throw invalidBackup(msg('backups.notAFile'));
  const index = await readIndex(archive, info.size, backupRules);
  const manifest = await manifestOf(archive, index);
  checkParts(manifest, index);
  await requireDiskSpace(paths.host, index.unpackedBytes, msg('backups.theBackup'));
  await mkdir(folder, { mode: 0o700 });
  const entries = index.entries.map((entry) => ({ ...entry, name: decodeName(entry.name) }));
  await makeDirectories(folder, entries);
  const targetOf = ({ name }: ArchiveEntry): string => join(folder, name);
  await unpackBodies({ archive, entries, targetOf });
  for (const entry of entries) if (entry.executable) await chmod(targetOf(entry), 0o700);
  await settle(manifest, folder, paths);
}

async function manifestOf(archive: FileHandle, index: ArchiveIndex): Promise<BackupManifest> {
  const entry = index.entries.find(({ name }) => name === entryPaths.manifest);
  if (!entry || Math.max(entry.sizeBytes, entry.compressedBytes) > maxManifestBytes)
    throw invalidBackup(msg('backups.notABackup'));
  return readManifest((await readBody(archive, entry)).toString('utf8'));
}

function checkParts({ database }: BackupManifest, { entries }: ArchiveIndex): void {
  const needed = [entryPaths.dataSource, ...(database.file === null ? [] : [database.file])];
  for (const name of needed)
    if (!entries.some((entry) => entry.name === name && !entry.directory))
      throw invalidBackup(msg('backups.partMissing', { name }));
}

/** Writes the configuration of the database with its default location. */
async function settle(
  { database }: BackupManifest,
  folder: string,
  paths: HostPaths,
): Promise<void> {
  const file = join(folder, entryPaths.dataSource);
  const dataSource = new DataSourceFile(file, createSecrets(''), paths.workDirectory);
  const location = await dataSource.location();
  if (location?.type !== database.type) throw invalidBackup(msg('backups.otherDatabase'));
  await chmod(file, 0o600);
  if (database.file === null) return;
  await syncFile(join(folder, database.file));
  const { filePath = '' } = configOf(database.type, {}, paths);
  await dataSource.moveTo(filePath);
}

/** A lock, logs, the machine key and empty folders do not count as an installation. */
async function refuseUsed({ host, workDirectory }: HostPaths): Promise<void> {
  const found = new AbortController();
  const visitor = {
    async entry(path: Buffer) {
      if (!isOfAnyStart(path.toString('latin1').slice(Buffer.byteLength(host) + 1))) found.abort();
    },
    // A folder that cannot be read is not empty.
    unlisted: (error: unknown) => codeOf(error) !== 'ENOENT' && found.abort(),
  };
  await walkTree(host, visitor, found.signal).catch((error: unknown) => {
    if (!found.signal.aborted) throw error;
  });
  if (!found.signal.aborted) return;
  throw new HostError(
    'conflict',
    'directory_in_use',
    msg('backups.directoryInUse', { folder: workDirectory }),
  );
}

const isOfAnyStart = (path: string): boolean =>
  /^(host\.lock(\..*)?|logs[/\\].*|config[/\\]\.machineid)$/.test(path);

/** Rewords errors of the archive checks, which speak of packages. */
function worded(error: unknown): unknown {
  if (!(error instanceof HostError) || error.code !== 'invalid_package') return error;
  const [first] = error.errors ?? [];
  const problem = first?.message ?? msg('backups.isDamaged');
  const path = first?.path ?? '';
  return invalidBackup(
    path === ''
      ? msg('backups.archiveProblem', { problem })
      : msg('backups.entryProblem', { path, problem }),
    error,
  );
}
