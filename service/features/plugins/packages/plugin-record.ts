import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PluginManifest, SourceKind } from '../../../contract/index.ts';
import { codeOf } from '../../../platform/archives/archive-problems.ts';

/**
 * Stored beside the files of a plugin from the store; packages may not contain a file of this name.
 */
export const recordName = '.host-plugin.json';
const maxRecordBytes = 4 * 1024 ** 2;

/** The origin of a plugin that is not a `.plugin` package. */
export const PluginOrigin = z.object({
  kind: SourceKind,
  sourceId: z.string(),
  /** Address of the source: the same id may refer to another source later. */
  sourceUrl: z.string(),
  entry: z.string(),
  /** Repository, folder in it, and the installed commit. */
  url: z.string(),
  path: z.string(),
  commit: z.string(),
  /** Git tree hash of the folder at that commit. */
  tree: z.string(),
  /** Version from the plugin or the catalog; null if neither has one. */
  version: z.string().nullable(),
  strict: z.boolean(),
  /** Fields of the catalog entry that the manifest of the plugin lacks, as written. */
  declared: z.record(z.string(), z.unknown()),
  /** The catalog entry as written. */
  raw: z.record(z.string(), z.unknown()),
});
export type PluginOrigin = z.output<typeof PluginOrigin>;

/**
 * The catalog that a `.plugin` package came from. `sourceKey` identifies its address without
 * revealing it.
 */
export const PackageListing = z.object({ sourceId: z.string(), sourceKey: z.string() });
export type PackageListing = z.output<typeof PackageListing>;

const PluginRecord = z.union([
  z.object({ manifest: PluginManifest, origin: PluginOrigin }),
  z.object({ listing: PackageListing }),
]);
export type PluginRecord = z.output<typeof PluginRecord>;

/**
 * Returns null for a `.plugin` package that came from no catalog. Throws if the record is unusable.
 */
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
