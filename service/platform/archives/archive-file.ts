import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArchiveEntry } from './archive-entry.ts';
import { codeOf, rejectArchive } from './archive-problems.ts';
import { msg } from '../../messages/index.ts';

const directoryMode = 0o755;
/** Error codes of `open` that concern the file rather than the machine. */
const unreadable = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENXIO']);

/**
 * Opens the archive for the duration of the callback. `O_NONBLOCK`: opening a named pipe would
 * otherwise wait for a writer.
 */
export async function withArchive<T>(
  file: string,
  use: (archive: FileHandle) => Promise<T>,
): Promise<T> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const archive = await open(file, flags).catch((error: unknown) => {
    if (!unreadable.has(codeOf(error) ?? '')) throw error;
    return rejectArchive('', msg('archive.cannotBeOpened'));
  });
  try {
    return await use(archive);
  } finally {
    await archive.close();
  }
}

/** Creates every directory of the archive, parents first. */
export async function makeDirectories(root: string, entries: ArchiveEntry[]): Promise<void> {
  const needed = new Set<string>();
  for (const entry of entries) {
    let path = entry.directory ? entry.name : dirname(entry.name);
    while (path !== '.' && !needed.has(path)) {
      needed.add(path);
      path = dirname(path);
    }
  }
  for (const path of [...needed].sort((one, other) => one.length - other.length)) {
    await mkdir(join(root, path), { mode: directoryMode });
  }
}
