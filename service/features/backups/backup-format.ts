import { sep } from 'node:path';
import { gt, valid } from 'semver';
import { type DatabaseType, hostVersion } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import type { ArchiveRules } from '../../platform/archives/archive-index.ts';
import { misleadsWindows, segmentsOf } from '../../platform/archives/archive-names.ts';
import { databaseExtensions } from '../../platform/database/database-file.ts';
import { databaseTypes } from '../../platform/database/database-types.ts';
import { type HostText, type Message, msg } from '../../messages/index.ts';

/** Must be raised when an older release cannot restore what this one writes. */
export const backupFormat = 2;

/** Paths of the parts in the archive. */
export const entryPaths = {
  manifest: 'backup.json',
  dataSource: 'config/datasource.properties',
  database: 'database',
  plugins: 'plugins',
  pluginData: 'plugin-data',
  pluginConfig: 'plugin-config',
} as const;

/** Path of the database in the archive; null for one on a server. */
export function databaseEntryPath(type: DatabaseType): string | null {
  const extension = databaseExtensions[type];
  return extension === undefined ? null : `${entryPaths.database}/host${extension}`;
}

/** `backup.json`: the description of a backup. */
export interface BackupManifest {
  format: number;
  /** Version of the host that made the backup. */
  version: string;
  createdAt: string;
  database: {
    type: DatabaseType;
    /** Path in the archive, see `databaseEntryPath`; null: the rows are not in the backup. */
    file: string | null;
  };
  contents: string[];
  /** Names in the archive of files that could not be read; at most 1000. */
  leftOut: string[];
}

const gibibyte = 1024 ** 3;
const maxEntries = 1_000_000;
/** Longest possible path with each of its bytes encoded. */
const maxNameBytes = 3 * 4_096;
const maxDepth = 2_048;

/** Above the maximum of deflate, so no ratio is refused. */
const anyRatio = 2_000;

/**
 * Wider than the rules of packages, since the data of plugins can contain any files. The free disk
 * space limits the size before anything is unpacked.
 */
export const backupRules: ArchiveRules = {
  maxEntries,
  maxPaths: 2 * maxEntries,
  maxTableBytes: gibibyte,
  maxUnpackedBytes: 16_384 * gibibyte,
  ratioFreeBytes: gibibyte,
  maxRatio: anyRatio,
  nameProblem,
  nameKey: (segment) => segment,
};

/** Encodes the two characters that names in a zip cannot contain or that encoding uses. */
export const encodeName = (name: string): string =>
  name.replaceAll('%', '%25').replaceAll('\\', '%5C');

export const decodeName = (name: string): string =>
  name.replaceAll('%5C', '\\').replaceAll('%25', '%');

function nameProblem(name: string): Message | undefined {
  const segments = segmentsOf(name);
  if (Buffer.byteLength(name) > maxNameBytes)
    return msg('backups.nameTooLong', { limit: maxNameBytes });
  if (segments.length > maxDepth) return msg('backups.tooDeep', { limit: maxDepth });
  if (/[\\\0]/.test(name)) return msg('backups.nameCharacter');
  if (segments.some((part) => part === '' || part === '.' || part === '..'))
    return msg('backups.leadsElsewhere');
  if (/%(?!25|5C)/.test(name)) return msg('backups.unknownName');
  if (sep === '\\' && (name.includes('%5C') || segments.some(misleadsWindows)))
    return msg('backups.nameOfOtherSystem');
  return isPart(name) ? undefined : msg('backups.notPart');
}

/** Only directories end with a slash. */
function isPart(name: string): boolean {
  const files: string[] = [entryPaths.manifest, entryPaths.dataSource];
  return (
    files.includes(name) ||
    /^database\/host(\.mv)?\.db$|^(plugins|plugin-data|plugin-config)\//.test(name)
  );
}

/** @throws HostError `invalid_backup`, `backup_newer` for a backup of a newer release */
export function readManifest(text: string): BackupManifest {
  const manifest = parsed(text);
  const version = valid(manifest.version);
  if (version === null || typeof manifest.format !== 'number') throw invalidBackup(notOne);
  if (manifest.format > backupFormat || gt(version, hostVersion)) {
    throw new HostError(
      'conflict',
      'backup_newer',
      msg('backups.newer', { version, current: hostVersion }),
    );
  }
  const { type, file } = manifest.database ?? {};
  if (typeof type !== 'string' || !Object.hasOwn(databaseTypes, type)) throw invalidBackup(notOne);
  if (file !== databaseEntryPath(type)) throw invalidBackup(msg('backups.databaseElsewhere'));
  return manifest;
}

const notOne = msg('backups.notABackup');

function parsed(text: string): BackupManifest {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as BackupManifest;
  } catch {
    // Reported below.
  }
  throw invalidBackup(notOne);
}

export function invalidBackup(why: HostText, cause?: unknown): HostError {
  return new HostError('invalid', 'invalid_backup', msg('backups.invalid', { reason: why }), {
    cause,
  });
}
