import { randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../../core/host-error.ts';
import { removeTree } from '../../platform/trees/remove-tree.ts';
import { makeDeletable } from './packages/package-files.ts';
import { msg } from '../../messages/index.ts';

/**
 * The data of a plugin that is being removed, moved aside until the removal is final. Exactly one
 * of the methods must be called.
 */
export interface DataAside {
  putBack(): Promise<void>;
  delete(): Promise<void>;
}

/** Deletes or restores both together; the files are deleted first. Rethrows the first failure. */
export async function setDataAndDatabaseAside(
  setDatabaseAside: () => Promise<DataAside>,
  setFilesAside: () => Promise<DataAside>,
): Promise<DataAside> {
  const database = await setDatabaseAside();
  const files = await setFilesAside().catch(async (error: unknown) => {
    await database.putBack();
    throw error;
  });
  return {
    putBack: () => files.putBack().finally(() => database.putBack()),
    delete: () => files.delete().finally(() => database.delete()),
  };
}

/**
 * Moves the data directory of a plugin aside without deleting it. `signal` ends a long deletion,
 * which continues at the next start.
 * @throws HostError `cannot_delete` if it cannot be deleted; then all of it is still there
 */
export async function setDataAside(
  directory: string,
  staging: string,
  signal: AbortSignal,
): Promise<DataAside> {
  const aside = join(staging, `data-${randomUUID()}`);
  try {
    await makeDeletable(directory, signal);
    await mkdir(staging, { recursive: true, mode: 0o700 });
    await rename(directory, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw undeletable(error);
    return { putBack: () => Promise.resolve(), delete: () => Promise.resolve() };
  }
  return {
    putBack: () => rename(aside, directory),
    async delete() {
      await removeTree(aside, signal).catch((error: unknown) => {
        throw dataLeftOver(error);
      });
    },
  };
}

function undeletable(cause: unknown): HostError {
  return new HostError('conflict', 'cannot_delete', msg('plugins.dataUndeletable'), { cause });
}

function dataLeftOver(cause: unknown): HostError {
  return new HostError('conflict', 'data_left_over', msg('plugins.dataLeftOver'), { cause });
}
