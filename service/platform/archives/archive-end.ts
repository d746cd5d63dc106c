import { rejectArchive } from './archive-problems.ts';
import type { WindowedReader } from './archive-reader.ts';
import { msg } from '../../messages/index.ts';

const endBytes = 22;
const endSignature = 0x06054b50;
const maxCommentBytes = 0xffff;
const zip64EndBytes = 56;
const zip64EndSignature = 0x06064b50;
const locatorBytes = 20;
const locatorSignature = 0x07064b50;
const seeZip64 = { count: 0xffff, bytes: 0xffffffff };

/**
 * The table of contents as it was read, to compare with the end record of the archive. Offsets in
 * bytes.
 */
export interface Table {
  tableStart: number;
  tableEnd: number;
  entryCount: number;
  sizeBytes: number;
}

/**
 * Checks that a single matching end record follows the table of contents and nothing else does:
 * with a second one, or bytes around it, another program would read a different archive.
 */
export async function checkArchiveEnd(reader: WindowedReader, table: Table): Promise<void> {
  const length = table.sizeBytes - table.tableEnd;
  if (length < endBytes || length > endBytes + maxCommentBytes + zip64EndBytes + locatorBytes) {
    reject();
  }
  const end = (await reader.bytes(table.tableEnd, length)) ?? reject();
  const zip64 = end.readUInt32LE(0) === zip64EndSignature;
  if (zip64) checkZip64End(end, table);
  checkEnd(zip64 ? end.subarray(zip64EndBytes + locatorBytes) : end, table, zip64);
}

function checkEnd(end: Buffer, table: Table, zip64: boolean): void {
  if (end.length < endBytes || end.readUInt32LE(0) !== endSignature) reject();
  const count = (offset: number): boolean =>
    matches(end.readUInt16LE(offset), table.entryCount, zip64 && seeZip64.count);
  const bytes = (offset: number, expected: number): boolean =>
    matches(end.readUInt32LE(offset), expected, zip64 && seeZip64.bytes);
  const comment = end.subarray(endBytes);
  const fits =
    count(8) &&
    count(10) &&
    bytes(12, table.tableEnd - table.tableStart) &&
    bytes(16, table.tableStart) &&
    end.readUInt16LE(20) === comment.length;
  const oneDisk = [end.readUInt16LE(4), end.readUInt16LE(6)].every(
    (disk) => disk === 0 || (zip64 && disk === seeZip64.count),
  );
  if (!fits || !oneDisk || hasSignature(comment)) reject();
}

function matches(found: number, expected: number, instead: number | false): boolean {
  return found === expected || found === instead;
}

function checkZip64End(end: Buffer, table: Table): void {
  if (end.length < zip64EndBytes + locatorBytes) reject();
  const locator = end.subarray(zip64EndBytes);
  const expected: [bigint, number][] = [
    [end.readBigUInt64LE(4), zip64EndBytes - 12],
    [BigInt(end.readUInt32LE(16)), 0],
    [BigInt(end.readUInt32LE(20)), 0],
    [end.readBigUInt64LE(24), table.entryCount],
    [end.readBigUInt64LE(32), table.entryCount],
    [end.readBigUInt64LE(40), table.tableEnd - table.tableStart],
    [end.readBigUInt64LE(48), table.tableStart],
    [BigInt(locator.readUInt32LE(0)), locatorSignature],
    [locator.readBigUInt64LE(8), table.tableEnd],
  ];
  if (expected.some(([found, required]) => found !== BigInt(required))) reject();
}

function hasSignature(comment: Buffer): boolean {
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(endSignature);
  return comment.includes(signature);
}

function reject(): never {
  return rejectArchive('', msg('archive.trailingBytes'));
}
