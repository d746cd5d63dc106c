import { type FileHandle, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginManifest } from '../../../contract/manifest.ts';
import { readBody, unpackBodies } from '../../../platform/archives/archive-bodies.ts';
import { makeDirectories, withArchive } from '../../../platform/archives/archive-file.ts';
import { type ArchiveIndex, readIndex } from '../../../platform/archives/archive-index.ts';
import type { ArchiveEntry } from '../../../platform/archives/archive-entry.ts';
import {
  checkNamedFiles,
  manifestName,
  maxManifestBytes,
  parseManifest,
} from './package-manifest.ts';
import { packageRules } from './package-rules.ts';
import { asDiskProblem, rejectArchive } from '../../../platform/archives/archive-problems.ts';
import { discardTree } from '../../../platform/trees/remove-tree.ts';
import { msg } from '../../../messages/index.ts';

const rootMode = 0o700;
const maxTexts = 50;
/**
 * A package with valid tables, names and manifest. The content of entries is checked when they are
 * unpacked.
 */
export interface CheckedPackage {
  /** Absolute path of the archive. */
  file: string;
  manifest: PluginManifest;
  sizeBytes: number;
  unpackedBytes: number;
  entryCount: number;
}

/**
 * Opens an archive and checks everything except the content of its entries; writes nothing.
 * @throws HostError 400 `invalid_package` with `errors` that name entries or manifest fields
 */
export async function readPackage(file: string): Promise<CheckedPackage> {
  return withArchive(file, (archive) => readChecked(file, archive));
}

/**
 * Unpacks every entry without writing it, so that inspecting a package gives the same result as
 * installing it. Throws the same errors as `extractPackage`.
 */
export async function verifyPackage(checked: CheckedPackage, signal?: AbortSignal): Promise<void> {
  await withArchive(checked.file, async (archive) => {
    const entries = await entriesOf(checked, archive);
    await unpackBodies({ archive, entries, signal });
  });
}

/**
 * Unpacks into `directory`, which must not exist yet. Refuses an archive that changed since
 * `readPackage`. If it throws, `directory` is removed: `invalid_package` for a bad archive,
 * `disk_full`, or the reason of `signal`.
 */
export async function extractPackage(
  checked: CheckedPackage,
  directory: string,
  signal?: AbortSignal,
): Promise<void> {
  await withArchive(checked.file, async (archive) => {
    const entries = await entriesOf(checked, archive);
    await mkdir(directory, { mode: rootMode }).catch(rethrowDiskProblem);
    try {
      await makeDirectories(directory, entries);
      const targetOf = ({ name }: { name: string }): string => join(directory, name);
      await unpackBodies({ archive, entries, targetOf, signal });
    } catch (error) {
      // the next sweep removes the rest; the first failure is the one to report
      await discardTree(directory);
      return rethrowDiskProblem(error);
    }
  });
}

/** Returns the file names of a package, and the text of wanted files up to 1 MiB. */
export async function packageTexts(
  checked: CheckedPackage,
  isIncluded: (name: string) => boolean,
): Promise<{ files: ReadonlyMap<string, ArchiveEntry>; texts: ReadonlyMap<string, string> }> {
  return withArchive(checked.file, async (archive) => {
    const entries = (await entriesOf(checked, archive)).filter((entry) => !entry.directory);
    const texts = new Map<string, string>();
    for (const entry of entries) {
      const isSmall = Math.max(entry.sizeBytes, entry.compressedBytes) <= maxManifestBytes;
      if (!isSmall || !isIncluded(entry.name) || texts.size >= maxTexts) continue;
      texts.set(entry.name, (await readBody(archive, entry)).toString('utf8'));
    }
    return { files: new Map(entries.map((entry) => [entry.name, entry])), texts };
  });
}

/** Caches the tables of a package, so that unpacking need not read them again. */
const readings = new WeakMap<CheckedPackage, { index: ArchiveIndex; identity: string }>();

async function readChecked(file: string, archive: FileHandle): Promise<CheckedPackage> {
  const identity = await identityOf(archive);
  const index = await readIndex(archive, identity.sizeBytes, packageRules);
  const manifest = await readManifest(archive, index);
  const { entries, unpackedBytes } = index;
  const checked = {
    file,
    manifest,
    sizeBytes: identity.sizeBytes,
    unpackedBytes,
    entryCount: entries.length,
  };
  readings.set(checked, { index, identity: identity.text });
  return checked;
}

/** Returns the checked entries. Written files must match their names, sizes and CRCs. */
async function entriesOf(checked: CheckedPackage, archive: FileHandle): Promise<ArchiveEntry[]> {
  const reading = readings.get(checked);
  const identity = await identityOf(archive);
  if (reading === undefined) throw new Error('Only what readPackage answered can be unpacked.');
  if (identity.text !== reading.identity) {
    rejectArchive('', msg('package.changedWhileRead'));
  }
  for (const { name } of reading.index.entries) {
    const problem = packageRules.nameProblem(name);
    if (problem !== undefined) rejectArchive(name, problem);
  }
  return reading.index.entries;
}

/** Differs once the file was replaced or written to. */
async function identityOf(archive: FileHandle): Promise<{ sizeBytes: number; text: string }> {
  const stats = await archive.stat({ bigint: true });
  if (!stats.isFile()) rejectArchive('', msg('package.notFile'));
  const { dev, ino, size, mtimeNs } = stats;
  return { sizeBytes: Number(size), text: [dev, ino, size, mtimeNs].join(':') };
}

async function readManifest(archive: FileHandle, index: ArchiveIndex): Promise<PluginManifest> {
  const files = new Map(
    index.entries.filter((entry) => !entry.directory).map((entry) => [entry.name, entry]),
  );
  const entry = files.get(manifestName);
  if (entry === undefined) return rejectArchive(manifestName, msg('package.missingFile'));
  if (Math.max(entry.sizeBytes, entry.compressedBytes) > maxManifestBytes) {
    return rejectArchive(manifestName, msg('package.manifestTooLarge'));
  }
  const manifest = parseManifest(await readBody(archive, entry));
  checkNamedFiles(manifest, (name) => files.has(name));
  return manifest;
}

function rethrowDiskProblem(error: unknown): never {
  throw asDiskProblem(error);
}
