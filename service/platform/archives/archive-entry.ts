import type { Entry } from 'yauzl';
import { type Message, msg } from '../../messages/index.ts';

const encryptedFlags = 0x1 | 0x40 | 0x2000;
const patchFlag = 0x20;
const stored = 0;
export const deflate = 8;

const kindMask = 0o170000;
const fileKind = 0o100000;
const directoryKind = 0o040000;
const kinds: Record<number, Message> = {
  0o120000: msg('archive.symbolicLink'),
  0o010000: msg('archive.namedPipe'),
  0o020000: msg('archive.device'),
  0o060000: msg('archive.device'),
  0o140000: msg('archive.socket'),
};
const setIdBits = 0o6000;

const dosDirectory = 0x10;
/** DOS attributes of volume labels, devices and reparse points, which are not plain files. */
const dosSpecial = 0x08 | 0x40 | 0x400;
const unicodePathField = 0x7075;

/** A checked file or directory of an archive, with the facts needed to unpack it. */
export interface ArchiveEntry {
  /** Relative path with `/`, without the closing slash of directories. */
  name: string;
  directory: boolean;
  /** True if its owner can execute it. */
  executable: boolean;
  deflated: boolean;
  crc32: number;
  compressedBytes: number;
  sizeBytes: number;
  dataOffset: number;
}

/** An entry of the central directory with its decoded name. */
export interface ListedEntry {
  name: string;
  entry: Entry;
}

const ownerRuns = 0o100;

export function isExecutable(entry: Entry): boolean {
  return ((entry.externalFileAttributes >>> 16) & ownerRuns) !== 0;
}

/**
 * Returns the reason why an entry of the central directory is refused, regardless of its name;
 * undefined for a valid one.
 */
export function entryProblem(name: string, entry: Entry): Message | undefined {
  return storageProblem(entry) ?? kindProblem(name, entry) ?? secondNameProblem(entry);
}

function storageProblem(entry: Entry): Message | undefined {
  if ((entry.generalPurposeBitFlag & encryptedFlags) !== 0) {
    return msg('archive.encrypted');
  }
  if ((entry.generalPurposeBitFlag & patchFlag) !== 0) return msg('archive.patch');
  if (entry.compressionMethod !== stored && entry.compressionMethod !== deflate) {
    return msg('archive.compressionMethod', { method: entry.compressionMethod });
  }
  if (entry.compressionMethod === stored && entry.compressedSize !== entry.uncompressedSize) {
    return msg('archive.twoSizes');
  }
  return undefined;
}

/**
 * The mode is checked for every creator system of the entry, since unpackers differ in what they
 * read.
 */
function kindProblem(name: string, entry: Entry): Message | undefined {
  const directory = name.endsWith('/');
  const mode = entry.externalFileAttributes >>> 16;
  const kind = mode & kindMask;
  if (kinds[kind] !== undefined) return kinds[kind];
  if (kind !== 0 && kind !== fileKind && kind !== directoryKind) return msg('archive.unknownKind');
  if ((entry.externalFileAttributes & dosSpecial) !== 0) return msg('archive.notPlain');
  if (directory ? kind === fileKind : isMarkedDirectory(entry, kind)) {
    return msg('archive.fileAndDirectory');
  }
  if (directory && entry.uncompressedSize !== 0) return msg('archive.directoryWithContent');
  if (!directory && (mode & setIdBits) !== 0) return msg('archive.setId');
  return undefined;
}

function isMarkedDirectory(entry: Entry, kind: number): boolean {
  return kind === directoryKind || (entry.externalFileAttributes & dosDirectory) !== 0;
}

/** The Info-ZIP field that some unpackers prefer to the name. */
function secondNameProblem(entry: Entry): Message | undefined {
  const other = entry.extraFields.find((field) => field.id === unicodePathField);
  if (other === undefined || other.data.subarray(5).equals(entry.fileNameRaw)) return undefined;
  return msg('archive.secondName');
}
