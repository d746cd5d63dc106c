import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { hostVersion } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { ArchiveWriter } from '../../platform/archives/archive-writer.ts';
import { asDiskProblem, printable } from '../../platform/archives/archive-problems.ts';
import type { DataSourceFile } from '../../platform/database/data-source-file.ts';
import type { Database } from '../../platform/database/database.ts';
import { type DatabaseFile, databaseFileOf } from '../../platform/database/database-file.ts';
import { requireDiskSpace } from '../../platform/disk-space.ts';
import type { Log } from '../../platform/log.ts';
import type { HostPaths } from '../../platform/paths.ts';
import {
  backupFormat,
  type BackupManifest,
  databaseEntryPath,
  encodeName,
  entryPaths,
} from './backup-format.ts';
import { type Piece, piecesOf } from '../../platform/archives/folder-pieces.ts';
import { openPlainFile } from '../../platform/archives/plain-open.ts';
import {
  isPluginDatabaseSidecar,
  isPluginDatabase,
  packPluginDatabase,
} from './pack-plugin-database.ts';
import { msg } from '../../messages/index.ts';

const maxNamedSkipped = 1_000;
/** A longer name could exceed the limit of the system when restored to a longer path. */
const maxNameBytes = 3_000;

/** The installation that backups are made of. */
export interface BackupOptions {
  database: Database;
  dataSource: DataSourceFile;
  paths: HostPaths;
  log: Log;
}

/** A backup that is being written. */
export interface Backup {
  /** Zip archive; destroying it cancels the backup. */
  body: Readable;
  /** Proposed name, with the time in it. */
  fileName: string;
}

/** Makes backups, one at a time. */
export class BackupService {
  private readonly options: BackupOptions;
  private running: Promise<void> | null = null;
  private writer: ArchiveWriter | null = null;
  private isClosed = false;

  constructor(options: BackupOptions) {
    this.options = options;
  }

  /**
   * Copies the whole database before it resolves; other files are read while `body` is. Temporary
   * copies are removed when `body` ends in any way.
   * @throws HostError `backup_running`, or `disk_full` if the copy does not fit
   */
  async make(): Promise<Backup> {
    if (this.isClosed) throw backupEnded();
    if (this.running !== null) throw backupRunning();
    const ready = Promise.withResolvers<ArchiveWriter>();
    this.running = this.run(ready).finally(() => {
      this.running = null;
      this.writer = null;
    });
    const { output } = await ready.promise;
    const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    return { body: output, fileName: `plugin-host-backup-${time}.zip` };
  }

  /** Cancels a running backup. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.writer?.fail(backupEnded());
    await this.running;
  }

  /** Never rejects: a failure rejects `ready`, or destroys its output once there is one. */
  private async run(ready: PromiseWithResolvers<ArchiveWriter>): Promise<void> {
    const folder = join(this.options.paths.staging, `backup-${randomUUID()}`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const copy = await this.copyDatabase(folder);
      if (this.isClosed) throw backupEnded();
      const writer = new ArchiveWriter();
      this.writer = writer;
      ready.resolve(writer);
      await this.fill(writer, folder, copy);
      writer.end();
      await closed(writer.output);
    } catch (error) {
      ready.reject(asDiskProblem(error));
      const isAborted = this.writer?.output.destroyed ?? true;
      if (!isAborted) this.options.log.error('backup', 'The backup failed', error);
      this.writer?.fail(error);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) =>
        this.options.log.warn('backup', `${basename(folder)} cannot be removed: ${String(error)}`),
      );
    }
  }

  /** Null for a database on a server. */
  private async copyDatabase(folder: string): Promise<{ path: string; name: string } | null> {
    const { database, dataSource } = this.options;
    const location = await dataSource.location();
    const file = location && databaseFileOf(location);
    const name = databaseEntryPath(database.type);
    if (!file || name === null || !database.copyTo) return null;
    await requireDiskSpace(folder, await sizeOf(file), msg('backups.databaseCopy'));
    const path = join(folder, basename(name));
    await database.copyTo(path);
    return { path, name };
  }

  private async fill(
    writer: ArchiveWriter,
    folder: string,
    copy: { path: string; name: string } | null,
  ): Promise<void> {
    const { dataSource, paths, database } = this.options;
    const manifest: BackupManifest = {
      format: backupFormat,
      version: hostVersion,
      createdAt: new Date().toISOString(),
      database: { type: database.type, file: copy?.name ?? null },
      contents: [
        'configuration',
        ...(copy ? ['database'] : []),
        'plugins',
        'plugin data',
        'plugin settings',
      ],
      leftOut: [],
    };
    const configuration = await dataSource.protectedBytes();
    if (configuration) await writer.addBytes(configuration, entryPaths.dataSource);
    if (copy) await writer.addFile(copy.path, copy.name);
    let skippedCount = 0;
    const skip = (name: string): void => {
      skippedCount += 1;
      if (manifest.leftOut.length < maxNamedSkipped) manifest.leftOut.push(name);
    };
    for (const part of ['plugins', 'pluginData', 'pluginConfig'] as const)
      await this.addFolder(writer, {
        path: paths[part],
        name: entryPaths[part],
        folder,
        leaveOut: skip,
      });
    await writer.addBytes(Buffer.from(JSON.stringify(manifest, null, 2)), entryPaths.manifest);
    this.warnSkipped(skippedCount, manifest.leftOut);
  }

  private async addFolder(writer: ArchiveWriter, source: Source): Promise<void> {
    const nameOf = (name: string): string => `${source.name}/${encodeName(name)}`;
    const onUnreadable = (name: string): void => source.leaveOut(nameOf(name));
    const { signal } = writer;
    for await (const piece of piecesOf(source.path, { onUnreadable, signal })) {
      const name = nameOf(piece.name);
      const added =
        Buffer.byteLength(piece.name) <= maxNameBytes &&
        (await this.add(writer, piece, name, source));
      if (!added) source.leaveOut(name);
    }
  }

  private async add(
    writer: ArchiveWriter,
    piece: Piece,
    name: string,
    source: Source,
  ): Promise<boolean> {
    if (piece.kind === 'empty-folder') return writer.addDirectory(name);
    if (source.name === entryPaths.pluginData) {
      if (isPluginDatabaseSidecar(piece.name)) return true;
      const { folder } = source;
      if (isPluginDatabase(piece.name))
        return packPluginDatabase(writer, { piece, name, folder, log: this.options.log });
    }
    return writer.addFile(piece.path, name, openPlainFile);
  }

  private warnSkipped(count: number, names: string[]): void {
    if (count === 0) return;
    const some = names.slice(0, 5).map(printable).join(', ');
    const message = `${count} files or folders could not be read and are not in the backup: ${some}`;
    this.options.log.warn('backup', message);
  }
}

interface Source {
  path: string;
  /** Path in the archive. */
  name: string;
  /** Directory for temporary copies. */
  folder: string;
  leaveOut: (name: string) => void;
}

/** Includes the files next to the database, since the copy contains all of them. */
async function sizeOf(file: DatabaseFile): Promise<number> {
  const sizes = await Promise.all(
    [file.path, ...file.sideFiles].map(async (path) => (await stat(path).catch(() => null))?.size),
  );
  return sizes.reduce<number>((sum, size = 0) => sum + size, 0);
}

function closed(output: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed) resolve();
    else output.once('close', () => resolve());
  });
}

function backupEnded(): HostError {
  return new HostError('unavailable', 'backup_ended', msg('backups.ended'));
}

function backupRunning(): HostError {
  return new HostError('conflict', 'backup_running', msg('backups.running'));
}
