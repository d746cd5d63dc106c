import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { HostError } from '../../../core/host-error.ts';
import { ensureFolder } from '../../ensure-folder.ts';
import { connectionFailed } from '../connection-failed.ts';

/** @throws HostError where the folder cannot be made or written */
export async function makeFolder(folder: string): Promise<void> {
  await ensureFolder(folder).catch((error: unknown) => {
    throw explainFolder(error);
  });
  await checkFolder(folder);
}

/** @throws HostError where the folder, or the nearest one above it that is there, cannot be written */
export async function checkFolder(folder: string): Promise<void> {
  const info = await stat(folder).catch(() => null);
  if (info === null && dirname(folder) !== folder) return checkFolder(dirname(folder));
  if (!info?.isDirectory()) throw explainFolder({ code: 'ENOTDIR' });
  await access(folder, constants.W_OK | constants.X_OK).catch(() => {
    throw explainFolder({ code: 'EACCES' });
  });
}

/** Why the folder of a database file cannot be used. */
export function explainFolder(error: unknown): HostError {
  const { code = 'unknown reason' } = error as { code?: string };
  const reasons: Record<string, string> = {
    EACCES:
      'The folder of the database file cannot be written. Choose another one or change its permissions.',
    ENOENT: 'The folder of the database file cannot be made. Choose another one.',
    EEXIST: 'The folder of the database file is not a folder.',
    ENOTDIR: 'The folder of the database file is not a folder.',
    ELOOP: 'The database file cannot be opened: it is a link in a circle.',
    EROFS: 'The folder of the database file is on a read-only disk. Choose another one.',
    ENAMETOOLONG: 'The path of the database file is too long. Choose another one.',
    ENOSPC: 'The disk is full. Free some space and try again.',
  };
  const text = reasons[code] ?? `The folder of the database file cannot be used (${code}).`;
  return connectionFailed(text, error);
}
