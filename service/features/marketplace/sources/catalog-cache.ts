import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SourceKind } from '../../../contract/index.ts';
import { writeWhole } from '../../../platform/whole-file.ts';
import { PluginFolder } from './plugin-folders.ts';

/** A catalog as it was last read, and the time of the last attempt. */
export const CachedCatalog = z.object({
  /** Address that was read; the cache is invalid for another address or branch. */
  url: z.string(),
  ref: z.string().nullable(),
  kind: SourceKind,
  place: z.enum(['file', 'loopback', 'private', 'public']),
  form: z.enum(['document', 'repository']),
  /** Address after redirects. */
  address: z.string(),
  fetchedAt: z.string(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** For a repository: the commit, and the object id of each folder named by entries. */
  commit: z.string().nullable(),
  trees: z.record(z.string(), z.string()),
  /**
   * For a repository: facts about the folders named by entries; absent: not read by this version.
   */
  folders: z.record(z.string(), PluginFolder).optional(),
  text: z.string(),
});
export type CachedCatalog = z.output<typeof CachedCatalog>;

/** Stores one file per source, so that the store works offline. Unreadable files are ignored. */
export class CatalogCache {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async read(id: string): Promise<CachedCatalog | null> {
    try {
      return CachedCatalog.parse(JSON.parse(await readFile(this.fileOf(id), 'utf8')));
    } catch {
      return null;
    }
  }

  async write(id: string, catalog: CachedCatalog): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeWhole(this.fileOf(id), (draft) => writeFile(draft, JSON.stringify(catalog)));
  }

  async remove(id: string): Promise<void> {
    await rm(this.fileOf(id), { force: true });
  }

  private fileOf(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}
