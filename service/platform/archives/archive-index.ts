import type { FileHandle } from 'node:fs/promises';
import { fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { HostError } from '../../core/host-error.ts';
import { checkArchiveEnd } from './archive-end.ts';
import { entryProblem, type ListedEntry, type ArchiveEntry } from './archive-entry.ts';
import { checkLocalHeaders } from './archive-local-headers.ts';
import { decodeName, NameRegistry } from './archive-names.ts';
import { ArchiveProblems, rejectArchive } from './archive-problems.ts';
import { WindowedReader } from './archive-reader.ts';
import { type HostText, type Message, msg } from '../../messages/index.ts';

/** Limits and naming rules of one kind of archive. */
export interface ArchiveRules {
  maxEntries: number;
  /** Limit of files and directories together, including directories without an entry. */
  maxPaths: number;
  maxTableBytes: number;
  maxUnpackedBytes: number;
  /** Up to this size any compression ratio is allowed; above it `maxRatio` applies. */
  ratioFreeBytes: number;
  maxRatio: number;
  /** Returns the reason why an entry of this name cannot be unpacked; undefined if it can. */
  nameProblem: (name: string) => HostText | undefined;
  /** Returns the same key for path segments that conflict with each other. */
  nameKey: (segment: string) => string;
}

/** Limits for every archive of the host and of plugins. */
export const archiveLimits = (maxEntries: number) => ({
  maxEntries,
  maxPaths: 2 * maxEntries,
  maxTableBytes: 16 * 1024 ** 2,
  maxUnpackedBytes: 4 * 1024 ** 3,
  ratioFreeBytes: 64 * 1024 ** 2,
  maxRatio: 200,
});

/** The checked entries of an archive, in archive order, and their total size. */
export interface ArchiveIndex {
  entries: ArchiveEntry[];
  unpackedBytes: number;
}

/**
 * Reads the tables of an archive and checks everything that needs no unpacking: names, kinds,
 * counts, sizes, and that every byte of the file belongs to exactly one structure.
 * @throws HostError `invalid_package`, with an error for each wrong entry
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
    rejectArchive('', msg('archive.tooManyEntries', { limit: rules.maxEntries }));
  if (sizeBytes - tableStart > rules.maxTableBytes) rejectArchive('', msg('archive.tableTooLarge'));

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

/** The name and size checks of yauzl are disabled, since their errors do not name the entry. */
async function openTables(reader: WindowedReader, sizeBytes: number): Promise<ZipFile> {
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false };
  try {
    return await fromRandomAccessReaderPromise(reader, sizeBytes, options);
  } catch (error) {
    if (reader.diskError !== undefined) throw error;
    return rejectArchive('', msg('archive.notZip'));
  }
}

/**
 * Read position of yauzl: the start of the table of contents, later its end. Its types say boolean.
 */
function cursorOf(zip: ZipFile): number {
  return zip.readEntryCursor as unknown as number;
}

async function listEntries(zip: ZipFile, rules: ArchiveRules): Promise<ListedEntry[]> {
  const problems = new ArchiveProblems();
  const names = new NameRegistry(rules.nameKey);
  const listed: ListedEntry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      // `decodeStrings` is off, so the name is bytes.
      const name = decodeName(entry.fileNameRaw);
      if (name === undefined) {
        problems.add(entry.fileNameRaw.toString('latin1'), msg('archive.nameNotUtf8'));
        continue;
      }
      const problem = rules.nameProblem(name) ?? names.add(name) ?? entryProblem(name, entry);
      if (problem !== undefined) problems.add(name, problem);
      if (names.size > rules.maxPaths)
        problems.fail(name, msg('archive.tooManyPaths', { limit: rules.maxPaths }));
      listed.push({ name, entry });
    }
  } catch (error) {
    if (error instanceof HostError) throw error;
    problems.add('', tableProblem(error, listed.length));
  }
  problems.throwIfAny();
  return listed;
}

function tableProblem(error: unknown, readSoFar: number): Message {
  if (error instanceof Error && error.message.includes('encryption')) {
    return msg('archive.encrypted');
  }
  return msg('archive.damagedTable', { count: readSoFar });
}

function checkSizes(listed: ListedEntry[], archiveBytes: number, rules: ArchiveRules): number {
  let unpackedBytes = 0;
  for (const { name, entry } of listed) {
    unpackedBytes += entry.uncompressedSize;
    if (unpackedBytes > rules.maxUnpackedBytes) {
      const gibibytes = rules.maxUnpackedBytes / 1024 ** 3;
      rejectArchive(name, msg('archive.unpacksTooLarge', { limit: gibibytes }));
    }
  }
  if (unpackedBytes > rules.ratioFreeBytes && unpackedBytes > rules.maxRatio * archiveBytes) {
    rejectArchive('', msg('archive.unpacksTimes', { times: rules.maxRatio }));
  }
  return unpackedBytes;
}
