import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PluginManifest, SourceKind } from '../../../contract/index.ts';
import { codeOf } from '../../../platform/archives/archive-problems.ts';

/** Beside the files of a plugin that came from the store; no package may hold a file of that name. */
export const recordName = '.host-plugin.json';
const maxRecordBytes = 4 * 1024 ** 2;

/** Where a plugin that is no `.plugin` package came from. */
export const PluginOrigin = z.object({
  kind: SourceKind,
  sourceId: z.string(),
  /** Address of the source: another source of the same id is another one. */
  sourceUrl: z.string(),
  entry: z.string(),
  /** Repository, folder in it, and the commit that is installed. */
  url: z.string(),
  path: z.string(),
  commit: z.string(),
  /** Identity of the folder's content at that commit. */
  tree: z.string(),
  /** Version that plugin or catalog give; null where neither does. */
  version: z.string().nullable(),
  strict: z.boolean(),
  /** What the entry of the catalog says beside the plugin's own manifest, as written there. */
  declared: z.record(z.string(), z.unknown()),
  /** The entry of the catalog as it was written. */
  raw: z.record(z.string(), z.unknown()),
});
export type PluginOrigin = z.output<typeof PluginOrigin>;

/** The catalog that a `.plugin` package came from. `sourceKey` tells its address without naming it. */
export const PackageListing = z.object({ sourceId: z.string(), sourceKey: z.string() });
export type PackageListing = z.output<typeof PackageListing>;

const PluginRecord = z.union([
  z.object({ manifest: PluginManifest, origin: PluginOrigin }),
  z.object({ listing: PackageListing }),
]);
export type PluginRecord = z.output<typeof PluginRecord>;

/** Null: a `.plugin` package that came from no catalog. Throws where the record cannot be used. */
export async function readRecord(directory: string): Promise<PluginRecord | null> {
  const file = join(directory, recordName);
  const found = await lstat(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return null;
  if (!found.isFile() || found.size > maxRecordBytes) throw new Error('Not a record.');
  return PluginRecord.parse(JSON.parse(await readFile(file, 'utf8')));
}

export async function writeRecord(directory: string, record: PluginRecord): Promise<void> {
  await writeFile(join(directory, recordName), `${JSON.stringify(record, null, 2)}\n`, {
    flag: 'wx',
    mode: 0o600,
  });
}
