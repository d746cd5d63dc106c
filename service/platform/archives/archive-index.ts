import type { FileHandle } from 'node:fs/promises';
import { fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { HostError } from '../../core/host-error.ts';
import { checkArchiveEnd } from './archive-end.ts';
import { entryProblem, type ListedEntry, type ArchiveEntry } from './archive-entry.ts';
import { checkLocalHeaders } from './archive-local-headers.ts';
import { decodeName, NameRegistry } from './archive-names.ts';
import { ArchiveProblems, rejectArchive } from './archive-problems.ts';
import { WindowedReader } from './archive-reader.ts';
import type { HostText } from '../../messages/index.ts';

/** What an archive of one kind may hold. */
export interface ArchiveRules {
  maxEntries: number;
  /** Files and directories together; directories need no entries of their own. */
  maxPaths: number;
  maxTableBytes: number;
  maxUnpackedBytes: number;
  /** Up to this size any ratio is fine; beyond it `maxRatio` holds. */
  ratioFreeBytes: number;
  maxRatio: number;
  /** Why an entry of this name cannot be unpacked; undefined when it can. */
  nameProblem: (name: string) => HostText | undefined;
  /** Equal for parts of paths that cannot exist beside each other. */
  nameKey: (segment: string) => string;
}

/** Sizes that no archive of the host or of a plugin needs to pass. */
export const archiveLimits = (maxEntries: number) => ({
  maxEntries,
  maxPaths: 2 * maxEntries,
  maxTableBytes: 16 * 1024 ** 2,
  maxUnpackedBytes: 4 * 1024 ** 3,
  ratioFreeBytes: 64 * 1024 ** 2,
  maxRatio: 200,
});

export interface ArchiveIndex {
  entries: ArchiveEntry[];
  unpackedBytes: number;
}

/**
 * Reads the tables of an archive and checks all that can be known without unpacking: names, kinds,
 * counts, sizes, and that every byte of the file belongs to exactly one thing.
 * Throws `invalid_package`; its errors name the entries.
 */
export async function readIndex(
  archive: FileHandle,
  sizeBytes: number,
  rules: ArchiveRules,
): Promise<ArchiveIndex> {
  const reader = new WindowedReader(archive, sizeBytes);
  try {
    return await checkedIndex(reader, sizeBytes, rules);
  } catch (error) {
    throw reader.diskError ?? error;
  }
}

async function checkedIndex(
  reader: WindowedReader,
  sizeBytes: number,
  rules: ArchiveRules,
): Promise<ArchiveIndex> {
  const zip = await openTables(reader, sizeBytes);
  const tableStart = cursorOf(zip);
  if (zip.entryCount > rules.maxEntries)
    rejectArchive('', `has more than ${rules.maxEntries} entries`);
  if (sizeBytes - tableStart > rules.maxTableBytes)
    rejectArchive('', 'has too large a table of contents');

  const listed = await listEntries(zip, rules);
  await checkArchiveEnd(reader, {
    tableStart,
    tableEnd: cursorOf(zip),
    entryCount: listed.length,
    sizeBytes,
  });
  const unpackedBytes = checkSizes(listed, sizeBytes, rules);
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
    return rejectArchive('', 'is not a zip archive, or it is damaged or cut short');
  }
}

/** Where yauzl reads next: the start of the table of contents, later its end. Its types say boolean. */
function cursorOf(zip: ZipFile): number {
  return zip.readEntryCursor as unknown as number;
}

async function listEntries(zip: ZipFile, rules: ArchiveRules): Promise<ListedEntry[]> {
  const problems = new ArchiveProblems();
  const names = new NameRegistry(rules.nameKey);
  const listed: ListedEntry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      // decodeStrings is off, so the name is bytes
      const name = decodeName(entry.fileNameRaw);
      if (name === undefined) {
        problems.add(entry.fileNameRaw.toString('latin1'), 'has a name that is not UTF-8');
        continue;
      }
      const problem = rules.nameProblem(name) ?? names.add(name) ?? entryProblem(name, entry);
      if (problem !== undefined) problems.add(name, problem);
      if (names.size > rules.maxPaths)
        problems.fail(name, `is beyond ${rules.maxPaths} files and directories`);
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

function checkSizes(listed: ListedEntry[], archiveBytes: number, rules: ArchiveRules): number {
  let unpackedBytes = 0;
  for (const { name, entry } of listed) {
    unpackedBytes += entry.uncompressedSize;
    if (unpackedBytes > rules.maxUnpackedBytes) {
      const gibibytes = rules.maxUnpackedBytes / 1024 ** 3;
      rejectArchive(name, `takes what is unpacked over ${gibibytes} GiB`);
    }
  }
  if (unpackedBytes > rules.ratioFreeBytes && unpackedBytes > rules.maxRatio * archiveBytes) {
    rejectArchive('', `unpacks to more than ${rules.maxRatio} times its size`);
  }
  return unpackedBytes;
}
