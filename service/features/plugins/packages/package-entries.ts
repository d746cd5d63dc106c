import type { FileHandle } from 'node:fs/promises';
import { fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { HostError } from '../../../core/host-error.ts';
import { checkArchiveEnd } from './package-end.ts';
import { entryProblem, type ListedEntry, type PackageEntry } from './package-entry.ts';
import { checkLocalHeaders } from './package-local-headers.ts';
import { decodeName, NameBook, nameProblem } from './package-names.ts';
import { PackageProblems, rejectPackage } from './package-problems.ts';
import { WindowedReader } from './package-reader.ts';

export const maxEntries = 10_000;
/** Files and directories together; directories need no entries of their own. */
export const maxPaths = 2 * maxEntries;
export const maxUnpackedBytes = 4 * 1024 ** 3;
/** Up to this size any ratio is fine; beyond it `maxRatio` holds. */
export const ratioFreeBytes = 64 * 1024 ** 2;
export const maxRatio = 200;
const maxTableBytes = 16 * 1024 ** 2;

export interface PackageIndex {
  entries: PackageEntry[];
  unpackedBytes: number;
}

/**
 * Reads the tables of an archive and checks all that can be known without unpacking: names, kinds,
 * counts, sizes, and that every byte of the file belongs to exactly one thing.
 * Throws `invalid_package`; its errors name the entries.
 */
export async function readIndex(archive: FileHandle, sizeBytes: number): Promise<PackageIndex> {
  const reader = new WindowedReader(archive, sizeBytes);
  try {
    return await checkedIndex(reader, sizeBytes);
  } catch (error) {
    throw reader.diskError ?? error;
  }
}

async function checkedIndex(reader: WindowedReader, sizeBytes: number): Promise<PackageIndex> {
  const zip = await openTables(reader, sizeBytes);
  const tableStart = cursorOf(zip);
  if (zip.entryCount > maxEntries) rejectPackage('', `has more than ${maxEntries} entries`);
  if (sizeBytes - tableStart > maxTableBytes)
    rejectPackage('', 'has too large a table of contents');

  const listed = await listEntries(zip);
  await checkArchiveEnd(reader, {
    tableStart,
    tableEnd: cursorOf(zip),
    entryCount: listed.length,
    sizeBytes,
  });
  const unpackedBytes = checkSizes(listed, sizeBytes);
  const entries = await checkLocalHeaders({ zip, reader, listed, tableStart });
  return { entries, unpackedBytes };
}

/** yauzl's own name and size checks stay off: they would stop without saying which entry is meant. */
async function openTables(reader: WindowedReader, sizeBytes: number): Promise<ZipFile> {
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false };
  try {
    return await fromRandomAccessReaderPromise(reader, sizeBytes, options);
  } catch (error) {
    if (reader.diskError !== undefined) throw error;
    return rejectPackage('', 'is not a zip archive, or it is damaged or cut short');
  }
}

/** Where yauzl reads next: the start of the table of contents, later its end. Its types say boolean. */
function cursorOf(zip: ZipFile): number {
  return zip.readEntryCursor as unknown as number;
}

async function listEntries(zip: ZipFile): Promise<ListedEntry[]> {
  const problems = new PackageProblems();
  const names = new NameBook();
  const listed: ListedEntry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      // decodeStrings is off, so the name is bytes
      const name = decodeName(entry.fileNameRaw);
      if (name === undefined) {
        problems.add(entry.fileNameRaw.toString('latin1'), 'has a name that is not UTF-8');
        continue;
      }
      const problem = nameProblem(name) ?? names.add(name) ?? entryProblem(name, entry);
      if (problem !== undefined) problems.add(name, problem);
      if (names.size > maxPaths) problems.fail(name, `is beyond ${maxPaths} files and directories`);
      listed.push({ name, entry });
    }
  } catch (error) {
    if (error instanceof HostError) throw error;
    problems.add('', tableProblem(error, listed.length));
  }
  problems.throwIfAny();
  return listed;
}

function tableProblem(error: unknown, readSoFar: number): string {
  if (error instanceof Error && error.message.includes('encryption')) {
    return 'is encrypted, which is not supported';
  }
  return `has a damaged table of contents after ${readSoFar} entries`;
}

function checkSizes(listed: ListedEntry[], archiveBytes: number): number {
  let unpackedBytes = 0;
  for (const { name, entry } of listed) {
    unpackedBytes += entry.uncompressedSize;
    if (unpackedBytes > maxUnpackedBytes) {
      rejectPackage(name, 'takes the unpacked package over 4 GiB');
    }
  }
  if (unpackedBytes > ratioFreeBytes && unpackedBytes > maxRatio * archiveBytes) {
    rejectPackage('', `unpacks to more than ${maxRatio} times its size`);
  }
  return unpackedBytes;
}
