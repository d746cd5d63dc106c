import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import { draftSuffix, writeWhole } from '../whole-file.ts';
import type { Database } from './database.ts';
import type { DatabaseType } from './database-config.ts';
import { type DatabaseFile, databaseExtensions } from './database-file.ts';
import { databaseProblem } from './database-problem.ts';

/** Number of snapshots kept from upgrades, and of those kept from restores. */
const maxSnapshots = 3;
/**
 * `fromVersion` of a database that was replaced by a restore: it was not opened to read its
 * version.
 */
const unknownVersion = 'unknown';
/** Side files of a damaged SQLite database are stored next to its copy. */
export const sideFileSuffixes = ['-wal', '-journal'];
const markFile = 'pending.json';

/** A copy of the database; `file` is its absolute path. */
export interface Snapshot {
  /** Unique and readable: time and version. Never a path. */
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** Name of the last applied migration. */
  fromVersion: string;
  sizeBytes: number;
  file: string;
}

/** Marks a snapshot as the state before an upgrade that has not ended. */
interface Mark {
  snapshot: string;
  databaseFile: string;
}

/** Copies of the embedded database, each a complete file, made before the database is changed. */
export class Snapshots {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Snapshots of databases of this type, newest first. */
  async list(type: DatabaseType): Promise<Snapshot[]> {
    const extension = databaseExtensions[type];
    if (extension === undefined) return [];
    const found = (await this.names()).filter((each) => each.extension === extension);
    const snapshots = await Promise.all(found.map((each) => this.describe(each)));
    return snapshots.filter((each) => each !== null);
  }

  /**
   * Stores a copy before the schema is changed; it is complete and synced when this resolves. A
   * repeated upgrade keeps the first copy, which alone shows the unchanged state. @throws HostError
   * if no copy can be stored
   */
  async keepBeforeUpgrade(database: Database, file: DatabaseFile, from: string): Promise<void> {
    if (!database.copyTo || (await this.isMarked(file))) return;
    const { copyTo } = database;
    try {
      const name = await this.keep(file, `from-${from.replaceAll(/[^\w-]/g, '_')}`, copyTo);
      await this.mark({ snapshot: name, databaseFile: file.path });
    } catch (error) {
      throw snapshotFailed(error);
    }
  }

  /** Stores the output of `write` as the state before a restore. Returns the name. */
  keepBeforeRestore(file: DatabaseFile, write: (draft: string) => Promise<void>): Promise<string> {
    return this.keep(file, 'before-restore', write);
  }

  private async keep(
    { extension }: DatabaseFile,
    kind: string,
    write: (draft: string) => Promise<void>,
  ): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.removeDrafts();
    const name = await this.freeName(kind);
    await writeWhole(join(this.folder, name + extension), write);
    return name;
  }

  /**
   * Records that the database equals this snapshot, so that a following upgrade needs no other one.
   */
  mark(mark: Mark): Promise<void> {
    return writeFileAtomic(join(this.folder, markFile), JSON.stringify(mark), { mode: 0o600 });
  }

  /** Ends an upgrade: its snapshot counts towards the limit from now on. */
  async settle(): Promise<void> {
    const mark = await this.readMark();
    if (mark === null) return;
    const names = await this.names();
    const [restores, upgrades] = [true, false].map((isRestore) =>
      names.filter(({ from }) => (from === undefined) === isRestore),
    );
    for (const old of [restores, upgrades].flatMap((some = []) => some.slice(maxSnapshots)))
      if (old.name !== mark.snapshot) await this.remove(old);
    await rm(join(this.folder, markFile), { force: true });
  }

  private async remove({ name, extension }: ParsedName): Promise<void> {
    const file = join(this.folder, name + extension);
    for (const suffix of ['', ...sideFileSuffixes]) await rm(file + suffix, { force: true });
  }

  private async isMarked(file: DatabaseFile): Promise<boolean> {
    const mark = await this.readMark();
    if (mark?.databaseFile !== file.path) return false;
    return (await this.names()).some(
      ({ name, extension }) => name === mark.snapshot && extension === file.extension,
    );
  }

  private async readMark(): Promise<Mark | null> {
    const text = await readFile(join(this.folder, markFile), 'utf8').catch(() => null);
    try {
      return text === null ? null : (JSON.parse(text) as Mark);
    } catch {
      return { snapshot: '', databaseFile: '' };
    }
  }

  private async names(): Promise<ParsedName[]> {
    const found = await readdir(this.folder).catch(() => []);
    return found
      .map(parseName)
      .filter((each) => each !== null)
      .sort(newestFirst);
  }

  private async describe(parsed: ParsedName): Promise<Snapshot | null> {
    const { name, extension, createdAt, from = unknownVersion } = parsed;
    const file = join(this.folder, name + extension);
    const info = await stat(file).catch(() => null);
    if (!info?.isFile()) return null;
    return { name, createdAt, fromVersion: from, sizeBytes: info.size, file };
  }

  private async freeName(kind: string): Promise<string> {
    const time = new Date().toISOString().slice(0, 23).replaceAll(/[:.]/g, '-');
    const taken = new Set((await this.names()).map(({ name }) => name));
    const base = `${time}-${kind}`;
    let name = base;
    for (let number = 2; taken.has(name); number += 1) name = `${base}.${number}`;
    return name;
  }

  private async removeDrafts(): Promise<void> {
    for (const name of await readdir(this.folder))
      if (name.endsWith(draftSuffix)) await rm(join(this.folder, name), { force: true });
  }
}

interface ParsedName {
  name: string;
  extension: string;
  createdAt: string;
  /** Absent for a snapshot from before a restore. */
  from: string | undefined;
  number: number;
}

const pattern =
  /^((\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})-(?:before-restore|from-([\w-]+))(?:\.(\d+))?)(\.mv\.db|\.db)$/;

/** Null for a file that is not a snapshot. */
function parseName(fileName: string): ParsedName | null {
  const match = pattern.exec(fileName);
  if (match === null) return null;
  const [, name = '', day, hours, minutes, seconds, millis, from, number, extension = ''] = match;
  const createdAt = new Date(`${day}T${hours}:${minutes}:${seconds}.${millis}Z`);
  if (Number.isNaN(createdAt.getTime())) return null;
  return {
    name,
    extension,
    createdAt: createdAt.toISOString(),
    from,
    number: Number(number ?? 1),
  };
}

function newestFirst(a: ParsedName, b: ParsedName): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return b.number - a.number;
}

function snapshotFailed(cause: unknown): HostError {
  const { code = '' } = (cause ?? {}) as { code?: string };
  const isFull = databaseProblem(cause)?.kind === 'disk-full' || /^(ENOSPC|EDQUOT)$/.test(code);
  return new HostError(
    isFull ? 'disk-full' : 'unavailable',
    isFull ? 'disk_full' : 'snapshot_failed',
    isFull ? msg('database.snapshotDiskFull') : msg('database.snapshotNotWritten'),
    { cause },
  );
}
