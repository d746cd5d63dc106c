import type { Entry } from 'yauzl';

const encryptedFlags = 0x1 | 0x40 | 0x2000;
const patchFlag = 0x20;
const stored = 0;
export const deflate = 8;

const kindMask = 0o170000;
const fileKind = 0o100000;
const directoryKind = 0o040000;
const kinds: Record<number, string> = {
  0o120000: 'a symbolic link',
  0o010000: 'a named pipe',
  0o020000: 'a device',
  0o060000: 'a device',
  0o140000: 'a socket',
};
const setIdBits = 0o6000;

const dosDirectory = 0x10;
/** Volume label, device, reparse point: what a file system object can be on Windows that is no plain file. */
const dosSpecial = 0x08 | 0x40 | 0x400;
const unicodePathField = 0x7075;

/** One file or directory of an archive, as far as unpacking needs to know it. */
export interface ArchiveEntry {
  /** Relative, with `/`; a directory's name carries no closing slash here. */
  name: string;
  directory: boolean;
  /** Its owner may run it. */
  executable: boolean;
  deflated: boolean;
  crc32: number;
  compressedBytes: number;
  sizeBytes: number;
  /** Where the compressed bytes begin in the archive. */
  dataOffset: number;
}

/** An entry of the central directory whose name can be read. */
export interface ListedEntry {
  name: string;
  entry: Entry;
}

const ownerRuns = 0o100;

export function isExecutable(entry: Entry): boolean {
  return ((entry.externalFileAttributes >>> 16) & ownerRuns) !== 0;
}

/** Why this entry of the central directory is refused, whatever its name; undefined when it is fine. */
export function entryProblem(name: string, entry: Entry): string | undefined {
  return storageProblem(entry) ?? kindProblem(name, entry) ?? secondNameProblem(entry);
}

function storageProblem(entry: Entry): string | undefined {
  if ((entry.generalPurposeBitFlag & encryptedFlags) !== 0) {
    return 'is encrypted, which is not supported';
  }
  if ((entry.generalPurposeBitFlag & patchFlag) !== 0) return 'is a patch, not a file';
  if (entry.compressionMethod !== stored && entry.compressionMethod !== deflate) {
    return `is compressed with method ${entry.compressionMethod}; only stored and deflated are supported`;
  }
  if (entry.compressionMethod === stored && entry.compressedSize !== entry.uncompressedSize) {
    return 'is stored as it is, yet has two different sizes';
  }
  return undefined;
}

/** The mode is looked at whichever system the entry claims to come from: unpackers differ on that. */
function kindProblem(name: string, entry: Entry): string | undefined {
  const directory = name.endsWith('/');
  const mode = entry.externalFileAttributes >>> 16;
  const kind = mode & kindMask;
  if (kinds[kind] !== undefined) return `is ${kinds[kind]}; only files and directories are allowed`;
  if (kind !== 0 && kind !== fileKind && kind !== directoryKind) return 'is of an unknown kind';
  if ((entry.externalFileAttributes & dosSpecial) !== 0) return 'is not a plain file or directory';
  if (directory ? kind === fileKind : saysDirectory(entry, kind)) {
    return 'is a file by name and a directory by mode, or the other way round';
  }
  if (directory && entry.uncompressedSize !== 0) return 'is a directory with content';
  if (!directory && (mode & setIdBits) !== 0) return 'is set-user-id or set-group-id';
  return undefined;
}

function saysDirectory(entry: Entry, kind: number): boolean {
  return kind === directoryKind || (entry.externalFileAttributes & dosDirectory) !== 0;
}

/** The Info-ZIP field that some unpackers prefer to the name. */
function secondNameProblem(entry: Entry): string | undefined {
  const other = entry.extraFields.find((field) => field.id === unicodePathField);
  if (other === undefined || other.data.subarray(5).equals(entry.fileNameRaw)) return undefined;
  return 'has a second, different name';
}
