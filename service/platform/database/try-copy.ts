import { constants, rmSync } from 'node:fs';
import { copyFile, mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { DatabaseConfig, DatabaseType } from './database-config.ts';
import type { Engines } from './engines.ts';
import { h2FileOf } from './h2/h2-file.ts';
import { type ConnectionTest, testDatabase } from './open-database.ts';

/** The files that contain an embedded database. */
const filesOf: Partial<Record<DatabaseType, (path: string) => string[]>> = {
  SQLITE: (path) => [path, `${path}-wal`],
  H2: (path) => [h2FileOf(path)],
};

const maxCopyBytes = 256 * 1024 ** 2;

export type CopyTest = ConnectionTest | 'no-file' | 'too-large';

/**
 * Tests an embedded database on a copy in the temporary folder: opening the file itself would
 * change its side files, and could block a host that starts meanwhile.
 */
export async function tryCopy(config: DatabaseConfig, engines: Engines): Promise<CopyTest> {
  const path = config.filePath ?? '';
  const files: string[] = [];
  let bytes = 0;
  for (const file of filesOf[config.type]?.(path) ?? []) {
    const info = await stat(file).catch(() => null);
    if (!info?.isFile()) continue;
    files.push(file);
    bytes += info.size;
  }
  if (files.length === 0) return 'no-file';
  if (bytes > maxCopyBytes) return 'too-large';
  const folder = await mkdtemp(join(tmpdir(), 'plugin-host-doctor-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    for (const file of files)
      await copyFile(file, join(folder, basename(file)), constants.COPYFILE_FICLONE);
    return await testDatabase({ ...config, filePath: join(folder, basename(path)) }, engines);
  } finally {
    remove();
    process.off('exit', remove);
  }
}
