import { type Entry, type LocalFileHeader, parseExtraFields, type ZipFile } from 'yauzl';
import { deflate, isExecutable, type ListedEntry, type ArchiveEntry } from './archive-entry.ts';
import { rejectArchive } from './archive-problems.ts';
import type { WindowedReader } from './archive-reader.ts';
import { msg } from '../../messages/index.ts';

const descriptorFlag = 0x8;
/** Bits for the compression level, which some packers write in one of the two places only. */
const effortBits = 0x6;
const zip64Field = 0x0001;
const inZip64 = 0xffffffff;
const maxDescriptorBytes = 24;
const descriptorSignature = 0x08074b50;

/** An open archive whose table of contents has been read. */
export interface Archive {
  zip: ZipFile;
  reader: WindowedReader;
  listed: ListedEntry[];
  /** Offset of the table of contents, where the entries end. */
  tableStart: number;
}

/**
 * Compares each local header with the table of contents, and checks that the entries fill the
 * archive from its first byte to the table without gaps or overlaps. Returns the entries in archive
 * order.
 */
export async function checkLocalHeaders(from: Archive): Promise<ArchiveEntry[]> {
  const sorted = from.listed.toSorted((one, other) => offsetOf(one) - offsetOf(other));
  const starts = [...sorted.map(offsetOf), from.tableStart];
  if (starts[0] !== 0) rejectArchive('', msg('archive.leadingBytes'));
  const entries: ArchiveEntry[] = [];
  for (const [index, listed] of sorted.entries()) {
    entries.push(await checkOne(from, listed, starts[index + 1] ?? from.tableStart));
  }
  return entries;
}

function offsetOf({ entry }: ListedEntry): number {
  return entry.relativeOffsetOfLocalHeader;
}

/** `end` is the offset of the next entry or of the table. */
async function checkOne(from: Archive, listed: ListedEntry, end: number): Promise<ArchiveEntry> {
  const { name, entry } = listed;
  const header = await readHeader(from.zip, listed);
  if (!agrees(entry, header)) {
    rejectArchive(name, msg('archive.differentHeaders'));
  }
  const trailerBytes = end - header.fileDataStart - entry.compressedSize;
  if (trailerBytes < 0) rejectArchive(name, msg('archive.sharedBytes'));
  const longestBytes = Math.min(trailerBytes, maxDescriptorBytes + 1);
  const trailer = await from.reader.bytes(end - trailerBytes, longestBytes);
  if (trailer === undefined || !belongs(trailer, entry, header)) {
    rejectArchive(name, msg('archive.bytesBehind'));
  }
  const directory = name.endsWith('/');
  return {
    name: directory ? name.slice(0, -1) : name,
    directory,
    executable: !directory && isExecutable(entry),
    deflated: entry.compressionMethod === deflate,
    crc32: entry.crc32,
    compressedBytes: entry.compressedSize,
    sizeBytes: entry.uncompressedSize,
    dataOffset: header.fileDataStart,
  };
}

async function readHeader(zip: ZipFile, { name, entry }: ListedEntry): Promise<LocalFileHeader> {
  try {
    return await zip.readLocalFileHeaderPromise(entry);
  } catch {
    return rejectArchive(name, msg('archive.noHeader'));
  }
}

function agrees(entry: Entry, header: LocalFileHeader): boolean {
  const flags = (entry.generalPurposeBitFlag ^ header.generalPurposeBitFlag) & ~effortBits;
  if (flags !== 0 || header.compressionMethod !== entry.compressionMethod) return false;
  if (!header.fileName.equals(entry.fileNameRaw)) return false;
  const sizes = localSizes(header);
  if (sizes === undefined) return false;
  return announcesDescriptor(entry)
    ? isUnfinished(entry, header, sizes)
    : headersMatch(entry, header, sizes);
}

function announcesDescriptor(entry: Entry): boolean {
  return (entry.generalPurposeBitFlag & descriptorFlag) !== 0;
}

interface Sizes {
  compressed: number;
  uncompressed: number;
}

/** Undefined when the header refers to a missing extra field. */
function localSizes(header: LocalFileHeader): Sizes | undefined {
  const sizes = { compressed: header.compressedSize, uncompressed: header.uncompressedSize };
  if (sizes.compressed !== inZip64 && sizes.uncompressed !== inZip64) return sizes;
  const field = extraField(header, zip64Field);
  let offset = 0;
  for (const key of ['uncompressed', 'compressed'] as const) {
    if (sizes[key] !== inZip64) continue;
    if (field === undefined || field.length < offset + 8) return undefined;
    sizes[key] = Number(field.readBigUInt64LE(offset));
    offset += 8;
  }
  return sizes;
}

function extraField(header: LocalFileHeader, id: number): Buffer | undefined {
  try {
    return parseExtraFields(header.extraField).find((field) => field.id === id)?.data;
  } catch {
    return undefined;
  }
}

function headersMatch(entry: Entry, header: LocalFileHeader, sizes: Sizes): boolean {
  return (
    header.crc32 === entry.crc32 &&
    sizes.compressed === entry.compressedSize &&
    sizes.uncompressed === entry.uncompressedSize
  );
}

/** A packer that does not know a value yet writes zero, and the value after the data. */
function isUnfinished(entry: Entry, header: LocalFileHeader, sizes: Sizes): boolean {
  return (
    [0, entry.crc32].includes(header.crc32) &&
    [0, entry.compressedSize].includes(sizes.compressed) &&
    [0, entry.uncompressedSize].includes(sizes.uncompressed)
  );
}

/**
 * Returns true if the bytes after the data of an entry are its data descriptor, or are absent
 * because none is needed.
 */
function belongs(trailer: Buffer, entry: Entry, header: LocalFileHeader): boolean {
  if (trailer.length === 0) {
    const sizes = localSizes(header);
    return sizes !== undefined && headersMatch(entry, header, sizes);
  }
  return (
    announcesDescriptor(entry) && descriptors(entry).some((expected) => expected.equals(trailer))
  );
}

/** The four forms of a data descriptor: with or without signature, with sizes of 4 or 8 bytes. */
function descriptors({ crc32, compressedSize, uncompressedSize }: Entry): Buffer[] {
  const wide = Buffer.alloc(20);
  wide.writeUInt32LE(crc32, 0);
  wide.writeBigUInt64LE(BigInt(compressedSize), 4);
  wide.writeBigUInt64LE(BigInt(uncompressedSize), 12);
  const narrow = Buffer.concat([wide.subarray(0, 8), wide.subarray(12, 16)]);
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(descriptorSignature);
  return [narrow, wide, Buffer.concat([signature, narrow]), Buffer.concat([signature, wide])];
}
