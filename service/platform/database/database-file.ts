import type { DatabaseConfig, DatabaseType } from './database-config.ts';
import { h2FileOf } from './h2/h2-file.ts';

/** The single file of a closed embedded database. */
export interface DatabaseFile {
  type: DatabaseType;
  path: string;
  extension: string;
  /** Paths of files that may exist next to it and belong only to it. */
  sideFiles: string[];
}

export const databaseExtensions: Partial<Record<DatabaseType, string>> = {
  SQLITE: '.db',
  H2: '.mv.db',
};

/** Null for a database on a server. */
export function databaseFileOf({
  type,
  filePath,
}: Pick<DatabaseConfig, 'type' | 'filePath'>): DatabaseFile | null {
  const extension = databaseExtensions[type];
  if (extension === undefined || filePath === undefined) return null;
  const path = type === 'H2' ? h2FileOf(filePath) : filePath;
  const sideFiles =
    type === 'H2'
      ? [`${path.slice(0, -extension.length)}.trace.db`]
      : ['-wal', '-shm', '-journal'].map((suffix) => path + suffix);
  return { type, path, extension, sideFiles };
}
